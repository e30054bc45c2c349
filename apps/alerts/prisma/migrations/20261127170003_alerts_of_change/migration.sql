CREATE INDEX CONCURRENTLY alerts_active_of_change ON alerts (position_id)
  WHERE resolved_at IS NULL AND type = 'parameter_change';
