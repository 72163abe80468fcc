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
