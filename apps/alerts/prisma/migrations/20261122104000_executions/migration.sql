-- Rules that execute: what they ask for, and which position that is about. No such rule is there yet.
ALTER TABLE rules ADD COLUMN deleverage jsonb;
-- Of a lower tier there is no rule that executes: account.v1 tells when one goes down.
ALTER TABLE accounts ADD COLUMN may_execute boolean NOT NULL DEFAULT true;
-- How far the execution is by execution.v1; 0 before the first.
ALTER TABLE executions ADD COLUMN sequence integer NOT NULL DEFAULT 0;
CREATE INDEX alerts_active_of_execution ON alerts (position_id)
  WHERE resolved_at IS NULL AND type = 'execution_failed';
CREATE INDEX alerts_active_expiring ON alerts (expires_at)
  WHERE resolved_at IS NULL AND type = 'execution_failed';
