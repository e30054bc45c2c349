CREATE INDEX CONCURRENTLY alerts_of_wallet ON alerts (account_id, (content ->> 'wallet'), id DESC)
  WHERE content ->> 'wallet' IS NOT NULL;
