-- Titles and descriptions of an item in other languages: {"de": {"title": "…", "description": "…"}}. NULL: there are none.
ALTER TABLE items ADD COLUMN translations jsonb;
