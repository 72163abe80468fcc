-- An act that meets one error of the machine again and again is set aside; which error it met last, how often in a row,
-- and when first.
ALTER TABLE act
  DROP CONSTRAINT act_state_check,
  ADD CONSTRAINT act_state_check CHECK (state IN ('waiting', 'aside', 'done', 'refused')),
  ADD COLUMN failure text NOT NULL DEFAULT '',
  ADD COLUMN failures integer NOT NULL DEFAULT 0,
  ADD COLUMN failing timestamptz;
CREATE INDEX act_aside ON act (workspace_id, seq) WHERE state = 'aside';
