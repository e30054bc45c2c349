CREATE INDEX CONCURRENTLY alerts_of_silence ON alerts (account_id, silence, id DESC) WHERE silence IS NOT NULL;
