-- The agent that asked for an act about its memory; empty for those of a person.
ALTER TABLE act ADD COLUMN asker text NOT NULL DEFAULT '';
