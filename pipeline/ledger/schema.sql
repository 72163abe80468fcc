-- The schema of the ledger, as a step to each version from the version before it; version 0 is an empty file.
-- A released step never changes: an older ledger is upgraded by the steps that it lacks. A comment is a whole line.

-- version 1
CREATE TABLE runs (
    id TEXT PRIMARY KEY, job TEXT NOT NULL, key TEXT NOT NULL, start TEXT NOT NULL, end TEXT NOT NULL,
    began TEXT NOT NULL, ended TEXT, ending TEXT, outcome TEXT, tokens INTEGER NOT NULL DEFAULT 0, undone TEXT);
CREATE INDEX runs_by_key ON runs (job, key);
CREATE TABLE coverage (
    id INTEGER PRIMARY KEY, job TEXT NOT NULL, start TEXT NOT NULL, end TEXT NOT NULL, state TEXT NOT NULL,
    run TEXT NOT NULL, stale INTEGER NOT NULL DEFAULT 0);
CREATE INDEX coverage_by_end ON coverage (job, end);
CREATE TABLE seen (
    coverage INTEGER NOT NULL, session TEXT NOT NULL, ids BLOB NOT NULL, PRIMARY KEY (coverage, session));
CREATE TABLE changes (
    id INTEGER PRIMARY KEY, run TEXT NOT NULL, path TEXT NOT NULL, kind TEXT NOT NULL, state TEXT NOT NULL,
    before BLOB, after BLOB NOT NULL, identities TEXT NOT NULL, size INTEGER NOT NULL);
CREATE INDEX changes_by_state ON changes (state);
CREATE TABLE blocks (
    name TEXT NOT NULL, path TEXT NOT NULL, digest TEXT NOT NULL, identity TEXT NOT NULL, run TEXT NOT NULL,
    state TEXT NOT NULL, PRIMARY KEY (path, name));
CREATE TABLE files (
    source TEXT NOT NULL, path TEXT NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
    session TEXT, first TEXT, last TEXT, PRIMARY KEY (source, path));
CREATE TABLE sources (name TEXT PRIMARY KEY, fingerprint TEXT NOT NULL);
CREATE INDEX files_by_session ON files (session);
CREATE TABLE answers (
    key TEXT PRIMARY KEY, model TEXT NOT NULL, answer TEXT NOT NULL, input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL, asked TEXT NOT NULL);

-- version 2
-- The files of transcripts that cannot be read, and when the ledger was rebuilt.
CREATE TABLE unreadable (
    source TEXT NOT NULL, path TEXT NOT NULL, reason TEXT NOT NULL, since TEXT NOT NULL, PRIMARY KEY (source, path));
CREATE TABLE rebuilds (at TEXT NOT NULL);
CREATE INDEX runs_by_time ON runs (began);
CREATE INDEX runs_by_job ON runs (job, began);

-- version 3
-- Where each block of ours stands in its file, so that a repeated look is quick.
ALTER TABLE blocks ADD COLUMN file TEXT;
ALTER TABLE blocks ADD COLUMN landed INTEGER;
ALTER TABLE blocks ADD COLUMN before TEXT;
ALTER TABLE blocks ADD COLUMN behind TEXT;

-- version 4
-- A file may hold several sessions. The agents of sessions that were read before are not known: the next refresh of the
-- sources reads these files once more. Until then they stay, for entries verify by them.
ALTER TABLE runs ADD COLUMN subject TEXT NOT NULL DEFAULT '';
ALTER TABLE coverage ADD COLUMN subject TEXT NOT NULL DEFAULT '';
CREATE TABLE keyed (
    id INTEGER PRIMARY KEY, job TEXT NOT NULL, subject TEXT NOT NULL, key TEXT NOT NULL, start TEXT NOT NULL,
    end TEXT NOT NULL, digest TEXT NOT NULL, state TEXT NOT NULL, run TEXT NOT NULL, stale INTEGER NOT NULL DEFAULT 0,
    UNIQUE (job, subject, key));
CREATE TABLE inputs (
    keyed INTEGER NOT NULL, name TEXT NOT NULL, ids BLOB NOT NULL, PRIMARY KEY (keyed, name));
CREATE INDEX inputs_by_name ON inputs (name);
CREATE TABLE requests (
    id TEXT PRIMARY KEY, job TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL, asked TEXT NOT NULL);
DROP INDEX files_by_session;
ALTER TABLE files RENAME TO files_before;
CREATE TABLE files (
    source TEXT NOT NULL, path TEXT NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
    session TEXT NOT NULL, agent TEXT NOT NULL, first TEXT, last TEXT, PRIMARY KEY (source, path, session));
INSERT INTO files SELECT source, path, size, mtime_ns, COALESCE(session, ''), '', first, last FROM files_before;
DROP TABLE files_before;
CREATE INDEX files_by_session ON files (session);
UPDATE sources SET fingerprint = '';

-- version 5
-- What a session holds, for people who ask which are read, and what distinguishes a source that is read from one that
-- only seems to be; the next refresh of the sources fills it in. No words of a person: `forget` would not reach them.
-- And the back-fill that a run belongs to: of earlier runs it is not known.
ALTER TABLE files ADD COLUMN left_out TEXT NOT NULL DEFAULT '';
ALTER TABLE files ADD COLUMN counts TEXT NOT NULL DEFAULT '{}';
ALTER TABLE files ADD COLUMN opening TEXT NOT NULL DEFAULT '';
ALTER TABLE files ADD COLUMN second TEXT;
ALTER TABLE files ADD COLUMN machine INTEGER NOT NULL DEFAULT 0;
ALTER TABLE files ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
ALTER TABLE files ADD COLUMN unaccounted INTEGER NOT NULL DEFAULT 0;
CREATE INDEX files_by_opening ON files (opening);
CREATE TABLE other_kinds (
    source TEXT NOT NULL, kind TEXT NOT NULL, path TEXT NOT NULL, files INTEGER NOT NULL, PRIMARY KEY (source, kind));
ALTER TABLE runs ADD COLUMN backfill TEXT NOT NULL DEFAULT '';
CREATE INDEX runs_by_backfill ON runs (backfill) WHERE backfill <> '';
CREATE INDEX changes_by_run ON changes (run);
CREATE INDEX changes_by_path ON changes (path);
CREATE INDEX blocks_with_place ON blocks (path, name) WHERE file IS NOT NULL;
UPDATE sources SET fingerprint = '';

-- version 6
-- What each model was paid for; of earlier runs its name is not known. The kind of source of a session: sessions of two
-- kinds with one id were one, and the next refresh of the sources takes them apart. What waits for a person; and the
-- moment that a request is about, which is that of the words that it takes up.
CREATE TABLE spending (
    run TEXT NOT NULL, model TEXT NOT NULL, asked INTEGER NOT NULL, cached INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, cached_tokens INTEGER NOT NULL,
    PRIMARY KEY (run, model));
INSERT INTO spending SELECT id, '', COALESCE(json_extract(outcome, '$.asked'), 0),
    COALESCE(json_extract(outcome, '$.cached'), 0), COALESCE(json_extract(outcome, '$.input_tokens'), tokens),
    COALESCE(json_extract(outcome, '$.output_tokens'), 0), 0 FROM runs WHERE tokens > 0;
CREATE TABLE session_kinds (session TEXT PRIMARY KEY, kind TEXT NOT NULL);
UPDATE sources SET fingerprint = '';
CREATE TABLE suggestions (
    id TEXT PRIMARY KEY, job TEXT NOT NULL, identity TEXT NOT NULL, words TEXT NOT NULL, reason TEXT NOT NULL,
    body TEXT NOT NULL, run TEXT NOT NULL, noted TEXT NOT NULL);
CREATE INDEX suggestions_by_run ON suggestions (run);
CREATE INDEX suggestions_by_words ON suggestions (words);
CREATE TABLE suggestions_said (words TEXT NOT NULL, identity TEXT NOT NULL, PRIMARY KEY (words, identity));
ALTER TABLE requests ADD COLUMN about TEXT;

-- version 7
-- The numbers of agents' sessions, and the sessions that have to be looked at for new ones: at first all.
CREATE TABLE episodes (
    job TEXT NOT NULL, subject TEXT NOT NULL, key TEXT NOT NULL, day TEXT NOT NULL, number INTEGER NOT NULL,
    ordinal INTEGER NOT NULL, PRIMARY KEY (job, subject, key), UNIQUE (job, subject, ordinal));
CREATE TABLE unsettled (session TEXT PRIMARY KEY);
CREATE TABLE token_counts (digest TEXT PRIMARY KEY, tokens INTEGER NOT NULL);
INSERT INTO unsettled SELECT DISTINCT session FROM files WHERE session <> '';

-- version 8
-- Since when agents are declared; one with archived sessions has been since the first of these.
CREATE TABLE agents (name TEXT PRIMARY KEY, since TEXT NOT NULL);
INSERT INTO agents SELECT subject, MIN(start) FROM keyed WHERE job = 'agent_sessions' GROUP BY subject;

-- version 9
-- Indexes by which an undo finds what a run covered.
CREATE INDEX coverage_by_run ON coverage (run);
CREATE INDEX keyed_by_run ON keyed (run);

-- version 10
-- When the daily files were last looked at for changes of other hands.
CREATE TABLE sights (at TEXT NOT NULL);

-- version 11
-- The pieces of sessions that were asked about, and until when the last piece of a session is open.
CREATE TABLE pieces (
    session TEXT NOT NULL, start TEXT NOT NULL, end TEXT NOT NULL, PRIMARY KEY (session, start));
CREATE TABLE open_pieces (session TEXT PRIMARY KEY, over TEXT NOT NULL);

-- version 12
-- The entries that agents propose, until their session is read.
CREATE TABLE entry_proposals (id TEXT PRIMARY KEY, conversation TEXT NOT NULL, at TEXT NOT NULL, body TEXT NOT NULL);

-- version 13
-- The batches of questions at a server, and their questions by hash, with the replies that nobody has taken yet.
CREATE TABLE batches (id TEXT PRIMARY KEY, model TEXT NOT NULL, remote TEXT NOT NULL, sent TEXT NOT NULL);
CREATE TABLE batched (
    question TEXT PRIMARY KEY, batch TEXT NOT NULL, text TEXT, input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0, cached_tokens INTEGER NOT NULL DEFAULT 0, came TEXT,
    doubtful INTEGER NOT NULL DEFAULT 0);
CREATE INDEX batched_by_batch ON batched (batch);

-- version 14
-- The name of the project at a place, with a digest of where its repository comes from, and the project in which each
-- session was from a message on; the next refresh of the sources fills them in.
CREATE TABLE projects (place TEXT PRIMARY KEY, name TEXT NOT NULL, remote TEXT NOT NULL);
CREATE INDEX projects_by_remote ON projects (remote);
CREATE TABLE session_projects (
    session TEXT NOT NULL, number INTEGER NOT NULL, project TEXT NOT NULL, PRIMARY KEY (session, number));
UPDATE sources SET fingerprint = '';

-- version 15
-- The texts that sessions wrote, by digests of their paths; the next refresh of the sources fills it in.
CREATE TABLE written_texts (file TEXT NOT NULL, session TEXT NOT NULL, PRIMARY KEY (file, session));
CREATE INDEX written_texts_by_session ON written_texts (session);
UPDATE sources SET fingerprint = '';

-- version 16
-- When a person declined a suggestion of something new: for a day its words stay, so that this can be taken back.
ALTER TABLE suggestions ADD COLUMN declined TEXT;

-- version 17
-- What of each session was shipped, as digests of its messages from before masking, and where shipping stands.
CREATE TABLE shipped (
    session TEXT PRIMARY KEY, stamp TEXT NOT NULL, conversation TEXT NOT NULL, head TEXT NOT NULL,
    messages INTEGER NOT NULL, has INTEGER NOT NULL, digests BLOB NOT NULL);
CREATE TABLE shipping (
    id INTEGER PRIMARY KEY CHECK (id = 1), url TEXT NOT NULL, workspace TEXT NOT NULL, looked TEXT, failed TEXT,
    failure TEXT NOT NULL, machine TEXT NOT NULL);
