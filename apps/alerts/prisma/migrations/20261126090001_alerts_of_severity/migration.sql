CREATE INDEX CONCURRENTLY alerts_of_severity ON alerts (account_id, severity, id DESC);
