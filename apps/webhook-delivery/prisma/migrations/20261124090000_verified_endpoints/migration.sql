-- When the endpoint first responded to test.ping with 2xx. NULL: not yet, so it receives at most 100 events a
-- minute. Endpoints that exist already are in use.
ALTER TABLE webhooks ADD COLUMN verified_at timestamptz(3);
UPDATE webhooks SET verified_at = now();
