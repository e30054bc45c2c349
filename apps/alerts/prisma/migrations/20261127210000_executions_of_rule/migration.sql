-- GET /v1/automation/executions with one filter reads the executions of its index in the order of the list.
CREATE INDEX CONCURRENTLY executions_of_rule ON executions (account_id, rule_id, id DESC);
