-- Both are checked for every single delivery, and lock the row they point to. Endpoints are never removed, only marked;
-- who removes deliveries removes their attempts.
ALTER TABLE deliveries DROP CONSTRAINT deliveries_webhook_id_fkey;
ALTER TABLE attempts DROP CONSTRAINT attempts_delivery_id_fkey;

-- What was told of positions lately, for an account whose watch becomes known after it: topics have no order between
-- them. Rows live for an hour.
CREATE TABLE recent_position_events (
  event_id    text           PRIMARY KEY,
  wallet      text           NOT NULL,
  made_at     timestamptz(3) NOT NULL,
  event       jsonb          NOT NULL
);
CREATE INDEX recent_position_events_of_wallet ON recent_position_events (wallet, made_at);
CREATE INDEX recent_position_events_by_age ON recent_position_events (made_at);

-- An execution waits for its end: the log is told of a success, too.
ALTER TABLE deliveries ADD COLUMN is_awaited boolean NOT NULL DEFAULT false;
