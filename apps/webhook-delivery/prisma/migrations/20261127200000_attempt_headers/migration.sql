-- Headers in the log of deliveries. Attempts of earlier releases have none.
ALTER TABLE attempts
  ADD COLUMN response_headers text NOT NULL DEFAULT '',
  ADD COLUMN user_agent       text,
  ADD COLUMN signatures       smallint;
