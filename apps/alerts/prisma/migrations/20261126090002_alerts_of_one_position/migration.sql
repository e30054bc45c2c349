CREATE INDEX CONCURRENTLY alerts_of_one_position ON alerts (account_id, position_id, id DESC)
  WHERE position_id IS NOT NULL;
