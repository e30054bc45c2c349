CREATE INDEX CONCURRENTLY alerts_snoozed_until ON alerts (silenced_until) WHERE silence = 'snoozed';
