CREATE INDEX CONCURRENTLY alerts_of_protocol ON alerts (account_id, (content ->> 'protocol'), id DESC)
  WHERE content ->> 'protocol' IS NOT NULL;
