CREATE INDEX CONCURRENTLY alerts_of_chain ON alerts (account_id, (content ->> 'chainId'), id DESC)
  WHERE content ->> 'chainId' IS NOT NULL;
