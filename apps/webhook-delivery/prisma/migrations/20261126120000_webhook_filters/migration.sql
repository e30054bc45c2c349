-- What an endpoint receives of its event types. Empty: everything, as before.
ALTER TABLE webhooks
  ADD COLUMN severities text[]             NOT NULL DEFAULT '{}',
  ADD COLUMN protocols  text[]             NOT NULL DEFAULT '{}',
  ADD COLUMN chain_ids  double precision[] NOT NULL DEFAULT '{}';
