-- GET /account/v1/requests with a filter reads the requests of its index in the order of the list. The status is its first
-- digit, 0 for none. A partitioned table has no CONCURRENTLY: meanwhile the gateway keeps the new rows in memory.
CREATE INDEX request_log_of_source
  ON request_log (account_id, (key_id IS NULL), (coalesce(status / 100, 0)), created_at DESC, seq DESC);
CREATE INDEX request_log_of_key
  ON request_log (account_id, key_id, (coalesce(status / 100, 0)), created_at DESC, seq DESC);
