-- next_*: takes the place of the secret in use at secret_overlap_ends_at; until then requests are signed with both.
-- failing_since: the first failed attempt after the last that succeeded; null while the last one did.
ALTER TABLE webhooks
  ADD COLUMN next_secret_key_id     text,
  ADD COLUMN next_secret_sealed     bytea,
  ADD COLUMN secret_overlap_ends_at timestamptz(3),
  ADD COLUMN failing_since          timestamptz(3);

-- Deleted ones included: their deliveries stay in the list of events.
CREATE INDEX webhooks_by_account ON webhooks (account_id);

-- is_manual: retried by the account, so no schedule follows an attempt. is_test: made by POST /v1/webhooks/:id/test.
ALTER TABLE deliveries
  ADD COLUMN is_manual boolean NOT NULL DEFAULT false,
  ADD COLUMN is_test   boolean NOT NULL DEFAULT false;
