-- What a process holds has no due_at, and so no entry in deliveries_due: its lease stands here instead, once for all that
-- was claimed together, until nothing is held under it or it ends. A version before this one has the end of a lease in
-- due_at; both find what the other one leaves, but only this one takes back what it held itself when it was killed.
CREATE TABLE leases (
  id           uuid           PRIMARY KEY,
  ends_at      timestamptz(3) NOT NULL,
  delivery_ids text[]         COLLATE "C" NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- The result of a delivery that succeeds changes no column of an index, so that no index is written for it (heap-only
-- tuples): for that, the index of what failed is told by a column that stays as it was, and half of each page is free
-- for the second version of its rows. The table is written anew, and locked meanwhile.
ALTER TABLE deliveries
  ADD COLUMN is_retryable boolean NOT NULL GENERATED ALWAYS AS (state IN ('failed', 'skipped')) STORED;
ALTER TABLE deliveries SET (fillfactor = 50);
DROP INDEX deliveries_retryable;
CREATE INDEX deliveries_retryable ON deliveries (webhook_id, id) WHERE is_retryable;

-- Asked every few minutes for what is old, and written for every event: in the order of the table a summary will do.
DROP INDEX inbox_seen_at;
CREATE INDEX inbox_seen_at ON inbox USING brin (seen_at);
