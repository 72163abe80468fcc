"""The workspace folder, which belongs to the people: its files, its layout, its locks."""
