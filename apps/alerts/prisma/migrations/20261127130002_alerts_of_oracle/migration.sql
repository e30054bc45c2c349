CREATE INDEX CONCURRENTLY alerts_active_of_oracle ON alerts (position_id)
  WHERE resolved_at IS NULL AND type = 'oracle_deviation';
