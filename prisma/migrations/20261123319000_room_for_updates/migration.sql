-- An update that changes no indexed column, and finds room on its row's page, writes no index (a HOT update). What is left free here is for those.
-- safe: these settings rewrite nothing. They hold for pages that are written from now on, and their lock waits for no reader or writer.

-- Each mail counts its attempts before it is sent; its text is deleted afterwards.
ALTER TABLE outbox_messages SET (fillfactor = 85);
-- The answer of a request is stored in the row that its key took.
ALTER TABLE idempotency_records SET (fillfactor = 60);
-- A block of points is added many times a minute.
ALTER TABLE rate_limits SET (fillfactor = 50);
-- Counters of units, for every purchase.
ALTER TABLE listings SET (fillfactor = 70);
ALTER TABLE listing_buyers SET (fillfactor = 80);
-- Counters of the pool and the next request number, for every mint and every hold of a whole collection.
ALTER TABLE collections SET (fillfactor = 70);
-- How far an import has got, for every batch.
ALTER TABLE imports SET (fillfactor = 70);
-- Wrong guesses of PINs.
ALTER TABLE email_claims SET (fillfactor = 90);
ALTER TABLE pins SET (fillfactor = 90);

-- A fifth of a million rows would have to change before a table is vacuumed. Dead rows of hot ones are met by every look-up until then, and pages
-- that aren't known to be visible to all make an index-only scan read the table.
ALTER TABLE items SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE holds SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE email_claims SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE outbox_messages SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE import_rows SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.05);
-- Few rows that change all the time, or rows that are added and taken out again: what is dead soon outnumbers what lives.
ALTER TABLE listings SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200);
ALTER TABLE collections SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200);
ALTER TABLE idempotency_records SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
ALTER TABLE rate_limits SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
ALTER TABLE claim_changes SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
