-- GET /v1/alerts with one filter reads the alerts of its index in the order of the list.
CREATE INDEX CONCURRENTLY alerts_of_type ON alerts (account_id, type, id DESC);
