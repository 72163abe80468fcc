"""Reading what agents leave on disk: lines of JSON, SQLite stores, folders of files; and a session in the making."""
