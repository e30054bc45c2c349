-- Log-ins of programs by device code. Only hashes of the codes are stored. A row is deleted when it becomes a key.
CREATE TABLE device_codes (
  device_code_hash text           PRIMARY KEY CHECK (device_code_hash ~ '^[0-9a-f]{64}$'),
  user_code_hash   text           NOT NULL CHECK (user_code_hash ~ '^[0-9a-f]{64}$'),
  name             text           NOT NULL,
  scopes           text[]         NOT NULL,
  address          text           NOT NULL,
  user_agent       text,
  interval_seconds integer        NOT NULL CHECK (interval_seconds > 0),
  next_poll_at     timestamptz(3) NOT NULL DEFAULT now(),
  decision         text           CHECK (decision IN ('approved', 'denied')),
  account_id       text           REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  session_id       text,
  created_at       timestamptz(3) NOT NULL DEFAULT now(),
  expires_at       timestamptz(3) NOT NULL,
  CHECK ((decision IS NULL) = (account_id IS NULL))
);
CREATE UNIQUE INDEX device_codes_user_code_hash_key ON device_codes (user_code_hash);
CREATE INDEX device_codes_account_id_idx ON device_codes (account_id);
CREATE INDEX device_codes_expires_at_idx ON device_codes (expires_at);
