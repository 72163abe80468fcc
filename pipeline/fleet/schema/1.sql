-- The truth of a fleet. `pipeline/fleet/schema` has a file for each version; a file is never changed after a release.

CREATE TABLE workspace (
  id uuid PRIMARY KEY,
  name text NOT NULL UNIQUE,
  state text NOT NULL DEFAULT 'ready' CHECK (state IN ('ready', 'parked')),
  -- How often it was taken, and the newest generation that was published: 0 before the first.
  epoch bigint NOT NULL DEFAULT 0,
  generation bigint NOT NULL DEFAULT 0,
  -- From then on there is something to do; and how often work has begun since it last came to its end.
  next_due timestamptz,
  deaths integer NOT NULL DEFAULT 0,
  -- The error with which work came to its end last; empty without one.
  failure text NOT NULL DEFAULT '',
  -- When words have arrived that jobs read; those of the minute after it are not noted.
  heard timestamptz,
  -- The number of the last act.
  acts bigint NOT NULL DEFAULT 0,
  -- The questions to a model that were asked once more, because a worker died that waited for the answer.
  asked_again bigint NOT NULL DEFAULT 0,
  -- The tokens of all questions to a model so far.
  input_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0,
  added timestamptz NOT NULL
);
CREATE INDEX workspace_due ON workspace (next_due) WHERE state = 'ready';
CREATE INDEX workspace_dying ON workspace (deaths) WHERE state = 'ready' AND deaths > 0;

-- A whole state of a workspace: its files and their bytes, and the pieces and bytes that were added for it. A state that
-- a person pushes has the negative number of the act, until that is settled.
CREATE TABLE generation (
  workspace_id uuid NOT NULL REFERENCES workspace ON DELETE CASCADE,
  number bigint NOT NULL,
  made timestamptz NOT NULL,
  files integer NOT NULL,
  size bigint NOT NULL,
  pieces integer NOT NULL,
  written bigint NOT NULL,
  PRIMARY KEY (workspace_id, number)
);

-- A file as it is from the generation `since` up to, and without, the generation `until`: a file that does not change
-- has one row, however many generations there are.
CREATE TABLE manifest (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspace ON DELETE CASCADE,
  path text COLLATE "C" NOT NULL,
  size bigint NOT NULL,
  mode integer NOT NULL,
  mtime_ns bigint NOT NULL,
  since bigint NOT NULL,
  until bigint CHECK (until > since),
  UNIQUE (workspace_id, id)
);
CREATE UNIQUE INDEX manifest_newest ON manifest (workspace_id, path) WHERE until IS NULL;
CREATE INDEX manifest_ended ON manifest (workspace_id, until) WHERE until IS NOT NULL;

-- Up to 64 KiB of a file, compressed, under the SHA-256 of its bytes. Equal pieces of two owners are two rows.
CREATE TABLE piece (
  workspace_id uuid NOT NULL REFERENCES workspace ON DELETE CASCADE,
  hash bytea NOT NULL CHECK (length(hash) = 32),
  content bytea NOT NULL,
  PRIMARY KEY (workspace_id, hash)
);
-- It is compressed already.
ALTER TABLE piece ALTER COLUMN content SET STORAGE EXTERNAL;

-- The pieces of a file. Both keys have the workspace: no manifest can name a piece of another owner.
CREATE TABLE manifest_piece (
  manifest_id bigint NOT NULL,
  workspace_id uuid NOT NULL,
  ordinal integer NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (manifest_id, ordinal),
  FOREIGN KEY (workspace_id, manifest_id) REFERENCES manifest (workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, hash) REFERENCES piece
);
CREATE INDEX manifest_piece_hash ON manifest_piece (workspace_id, hash);

-- A generation that was pulled into a folder, and is kept until a moment, so that a push can be merged against it.
CREATE TABLE lease (
  workspace_id uuid NOT NULL REFERENCES workspace ON DELETE CASCADE,
  holder text NOT NULL,
  generation bigint NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, holder)
);

-- What a person asks for, in the order in which it was asked; an answer is written with the generation that it is about.
CREATE TABLE act (
  workspace_id uuid NOT NULL REFERENCES workspace ON DELETE CASCADE,
  seq bigint NOT NULL,
  kind text NOT NULL,
  body jsonb NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'done', 'refused')),
  answer jsonb,
  asked timestamptz NOT NULL,
  settled timestamptz,
  -- How often it was begun since a worker last came to an end with it: more often where workers die, or meet a bug.
  tried integer NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, seq)
);
CREATE INDEX act_waiting ON act (workspace_id, seq) WHERE state = 'waiting';

-- A question to a model that an `asker` asks while nobody has the workspace, by a hash of all that is sent: no words of
-- it are kept. Its reply, or the failure, waits for the next slice; the cost of a reply that was `taken` is booked.
CREATE TABLE question (
  workspace_id uuid NOT NULL REFERENCES workspace ON DELETE CASCADE,
  id text NOT NULL,
  asker uuid NOT NULL,
  asked timestamptz NOT NULL,
  tries integer NOT NULL DEFAULT 1,
  reply json,
  failure json,
  taken boolean NOT NULL DEFAULT false,
  PRIMARY KEY (workspace_id, id)
);

-- The tokens with which callers come to a front, each as its SHA-256. Without a workspace a token is the operator's.
CREATE TABLE token (
  hash bytea PRIMARY KEY CHECK (length(hash) = 32),
  workspace_id uuid REFERENCES workspace ON DELETE CASCADE,
  name text NOT NULL,
  kind text CHECK (kind IN ('person', 'agent', 'laptop')),
  agent text NOT NULL DEFAULT '',
  added timestamptz NOT NULL,
  expires timestamptz,
  CHECK ((workspace_id IS NULL) = (kind IS NULL))
);
CREATE UNIQUE INDEX token_name ON token (workspace_id, name);
CREATE UNIQUE INDEX token_of_operator ON token (name) WHERE workspace_id IS NULL;

-- Nobody says anything more in a workspace that was taken out, also not a request that was let in before: a removal
-- waits for who is about to, and who comes later finds no workspace. The tables of the store are made before these.
CREATE FUNCTION find_workspace_of_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM workspace WHERE id = NEW.workspace::uuid FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the workspace was taken out of the fleet' USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER find_workspace BEFORE INSERT ON conversations FOR EACH ROW EXECUTE FUNCTION find_workspace_of_row();
CREATE TRIGGER find_workspace BEFORE INSERT ON user_preferences FOR EACH ROW EXECUTE FUNCTION find_workspace_of_row();
CREATE TRIGGER find_workspace BEFORE INSERT ON agent_memories FOR EACH ROW EXECUTE FUNCTION find_workspace_of_row();
