-- GET /v1/execution/status with a position reads the executions of this index in the order of the list.
CREATE INDEX CONCURRENTLY executions_of_position_of_account ON executions (account_id, position_id, id DESC);
