-- Alerts about moves of whales: what was moved, and until when they stand.
ALTER TABLE alerts ADD COLUMN whale_subject text, ADD COLUMN whale_activity_id text, ADD COLUMN expires_at timestamptz(3);
CREATE UNIQUE INDEX alerts_one_active_of_each_kind
  ON alerts (account_id, type, coalesce(position_id, ''), coalesce(rule_id, ''), coalesce(webhook_id, ''),
    coalesce(asset, ''), coalesce(whale_subject, ''))
  WHERE resolved_at IS NULL;
-- It allowed an account one active alert of a type about neither, so only one whale could have had one.
DROP INDEX alerts_one_active_of_each;
CREATE INDEX alerts_active_of_whale ON alerts (expires_at) WHERE resolved_at IS NULL AND whale_subject IS NOT NULL;
