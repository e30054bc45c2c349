CREATE INDEX CONCURRENTLY executions_of_status ON executions (account_id, status, id DESC);
