"""Articles: what was decided again and again about one project, thing or topic, on one page with its sources."""
