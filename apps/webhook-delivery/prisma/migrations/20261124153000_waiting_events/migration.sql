-- Events of an account that received many at the same time. A row is one turn of its account. The transaction that
-- makes the deliveries deletes it. A version before this one leaves the rows for this one.
CREATE TABLE waiting_events (
  account_id text           COLLATE "C" NOT NULL,
  id         bigserial,
  events     text           NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (account_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
        toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 20000);
-- A row lives for seconds. Compression would cost more than the space.
ALTER TABLE waiting_events ALTER COLUMN events SET STORAGE EXTERNAL;
