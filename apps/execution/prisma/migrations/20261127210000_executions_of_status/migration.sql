-- GET /v1/execution/status with a status reads the executions of this index in the order of the list.
CREATE INDEX CONCURRENTLY executions_of_status ON executions (account_id, (coalesce(built_status, status)), id DESC);
