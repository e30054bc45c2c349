-- What became of transactions that were built for the wallet to send: pending, completed or cancelled. Null for the other
-- modes. `status` of such a row stays completed, as earlier releases read it: one in flight for a position means what is
-- submitted, and a build must not stand in its way.
ALTER TABLE executions ADD COLUMN built_status text;
ALTER TABLE executions ADD COLUMN built_due_at timestamptz(3);
CREATE INDEX executions_built_due ON executions (built_due_at) WHERE built_status = 'pending';
