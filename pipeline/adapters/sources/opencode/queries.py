"""The questions to OpenCode's store: texts, dialogues and calls alone, cut out of the JSON by SQLite."""

_CHANGES = "SELECT session_id AS id, count(*) AS records, max({{time}}) AS time FROM {table} GROUP BY session_id"
CHANGES = {table: _CHANGES.format(table=table) for table in ("message", "session_message")}
"""By table: each session with the number of its messages and the latest value of a column that is a time."""

ABOUT = {
    "session_v2": "SELECT * FROM session_v2 WHERE id = ?",
    "session": "SELECT * FROM session WHERE id = ?",
}
"""By table, the newer one first: what the store says of a session."""

MESSAGES = """
SELECT id, time_created AS stored,
    json_extract(json, '$.time.created') AS time,
    json_extract(json, '$.role') AS role,
    json_type(json, '$.summary') AS summary
FROM (
    SELECT id, time_created, CASE WHEN json_valid(data) THEN data ELSE '{}' END AS json
    FROM message WHERE session_id = ?
)
ORDER BY time_created, id
"""

PARTS = """
SELECT message_id, id,
    json_extract(json, '$.type') AS type,
    json_extract(json, '$.tool') AS tool,
    json_extract(json, '$.callID') AS callID,
    CASE
        WHEN json_extract(json, '$.tool') = 'question' THEN json_extract(json, '$.state')
        WHEN json_extract(json, '$.type') = 'tool' THEN json_object(
            'status', json_extract(json, '$.state.status'),
            'input', json_patch(
                json_object(
                    'todos', json_extract(json, '$.state.input.todos'),
                    'command', substr(json_extract(json, '$.state.input.command'), 1, 100000),
                    'filePath', json_extract(json, '$.state.input.filePath')
                ),
                CASE  -- what is written into a file that may be one of notes
                    WHEN json_extract(json, '$.state.input.filePath') LIKE '%.md'
                    OR json_extract(json, '$.state.input.filePath') LIKE '%rules%' THEN json_object(
                        'content', substr(json_extract(json, '$.state.input.content'), 1, 100000),
                        'oldString', substr(json_extract(json, '$.state.input.oldString'), 1, 100000),
                        'newString', substr(json_extract(json, '$.state.input.newString'), 1, 100000)
                    )
                    ELSE '{}'
                END
            ),
            'metadata', json_object('exit', json_extract(json, '$.state.metadata.exit'))
        )
    END AS state,
    CASE json_extract(json, '$.type') WHEN 'text' THEN json_extract(json, '$.text') END AS text,
    json_extract(json, '$.synthetic') AS synthetic,
    json_extract(json, '$.ignored') AS ignored
FROM (
    SELECT part.id, part.message_id, CASE WHEN json_valid(part.data) THEN part.data ELSE '{}' END AS json
    FROM message JOIN part ON part.message_id = message.id
    WHERE message.session_id = ?
)
ORDER BY message_id, id
"""

RECORDS = """
SELECT id, time_created AS stored, type AS role,
    json_extract(json, '$.time.created') AS time,
    CASE type
        WHEN 'assistant' THEN NULL
        WHEN 'compaction' THEN json_extract(json, '$.summary')
        WHEN 'shell' THEN substr(json_extract(json, '$.output'), 1, 2000)
        ELSE json_extract(json, '$.text')
    END AS text
FROM (
    SELECT *, CASE WHEN json_valid(data) THEN data ELSE '{}' END AS json
    FROM session_message WHERE session_id = ?
)
ORDER BY time_created, id
"""

CONTENT = """
SELECT record.id AS message_id,
    json_extract(block.value, '$.type') AS type,
    CASE json_extract(block.value, '$.type') WHEN 'text' THEN json_extract(block.value, '$.text') END AS text,
    json_extract(block.value, '$.synthetic') AS synthetic,
    json_extract(block.value, '$.ignored') AS ignored
FROM session_message AS record,
    json_each(CASE WHEN json_valid(record.data) THEN record.data ELSE '{}' END, '$.content') AS block
WHERE record.session_id = ? AND record.type = 'assistant' AND block.type = 'object'
ORDER BY record.id, block.id
"""
