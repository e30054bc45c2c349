-- Requests of accounts without their bodies and queries. One partition a day (UTC), made and dropped by the gateway.
CREATE TABLE request_log (
  account_id  text           NOT NULL,
  created_at  timestamptz(3) NOT NULL,
  seq         bigserial      NOT NULL,
  request_id  text           NOT NULL,
  method      text           NOT NULL,
  path        text           NOT NULL,
  -- Null: the client disconnected before the response.
  status      smallint,
  duration_ms double precision NOT NULL,
  -- Null: a session.
  key_id      text,
  PRIMARY KEY (account_id, created_at, seq)
) PARTITION BY RANGE (created_at);
CREATE INDEX request_log_account_id_request_id_idx ON request_log (account_id, request_id);

-- Admitted requests by UTC day and key, for 400 days. The key `session` is that of all sessions.
CREATE TABLE usage_keys (
  account_id text   NOT NULL,
  day        date   NOT NULL,
  key_id     text   NOT NULL,
  calls      bigint NOT NULL,
  PRIMARY KEY (account_id, day, key_id)
);
CREATE INDEX usage_keys_day_idx ON usage_keys (day);

-- Admitted requests by minute. One partition a day (UTC), made and dropped by the gateway.
CREATE TABLE usage_minutes (
  account_id text           NOT NULL,
  minute     timestamptz(0) NOT NULL,
  calls      bigint         NOT NULL,
  PRIMARY KEY (account_id, minute)
) PARTITION BY RANGE (minute);
