-- A lease that nobody holds yet: deliveries of one endpoint that had no room when they were made. To claim them is to
-- change this row and none of theirs. ends_at: when it may be claimed. A version before this one does not see them.
ALTER TABLE leases
  ADD COLUMN webhook_id text    COLLATE "C",
  ADD COLUMN is_held    boolean NOT NULL DEFAULT true,
  ADD COLUMN size       integer NOT NULL DEFAULT 0;
CREATE INDEX leases_waiting ON leases (webhook_id, ends_at) WHERE NOT is_held;
