-- When the account acknowledged an alert. Null: it did not.
ALTER TABLE alerts ADD COLUMN acknowledged_at timestamptz(3);
