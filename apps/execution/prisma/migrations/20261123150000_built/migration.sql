-- What became of transactions that were built for the wallet to send: pending, completed or cancelled. Null for the other
-- modes. `status` of such a row stays completed, as earlier releases read it: the limit of one in
-- flight for a position counts submissions alone, and a build must not block one.
ALTER TABLE executions ADD COLUMN built_status text;
ALTER TABLE executions ADD COLUMN built_due_at timestamptz(3);
CREATE INDEX executions_built_due ON executions (built_due_at) WHERE built_status = 'pending';
