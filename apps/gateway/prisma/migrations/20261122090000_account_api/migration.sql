-- null: made by the command line, and no password set yet.
ALTER TABLE accounts
  ADD COLUMN password_hash     text,
  ADD COLUMN email_verified_at timestamptz(3);

-- `held_since` is a key's place under the tier's cap: a rotated key hands it on, so that the new one is not the newest.
ALTER TABLE api_keys
  ADD COLUMN held_since     timestamptz(3) NOT NULL DEFAULT now(),
  ADD COLUMN last_used_at   timestamptz(3),
  ADD COLUMN replaced_by_id text UNIQUE REFERENCES api_keys (id) ON DELETE RESTRICT ON UPDATE CASCADE;
UPDATE api_keys SET held_since = created_at;

-- The cookie's token is never stored, only its SHA-256.
CREATE TABLE sessions (
  id           text           PRIMARY KEY,
  account_id   text           NOT NULL REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  token_hash   text           NOT NULL CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  last_seen_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at   timestamptz(3) NOT NULL,
  ends_at      timestamptz(3) NOT NULL,
  CHECK (expires_at <= ends_at)
);
CREATE UNIQUE INDEX sessions_token_hash_key ON sessions (token_hash);
CREATE INDEX sessions_account_id_created_at_idx ON sessions (account_id, created_at);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);

-- Codes that are mailed: used once, and gone with their use.
CREATE TABLE mail_tokens (
  token_hash text           PRIMARY KEY CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  account_id text           NOT NULL REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  purpose    text           NOT NULL CHECK (purpose IN ('verify_email', 'reset_password')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX mail_tokens_account_id_purpose_idx ON mail_tokens (account_id, purpose);
CREATE INDEX mail_tokens_expires_at_idx ON mail_tokens (expires_at);

CREATE TABLE audit_entries (
  id         text           PRIMARY KEY,
  account_id text           NOT NULL REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  action     text           NOT NULL,
  actor      text           NOT NULL CHECK (actor IN ('session', 'admin', 'mail', 'visitor')),
  address    text,
  details    jsonb          NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX audit_entries_account_id_created_at_id_idx ON audit_entries (account_id, created_at, id);
CREATE INDEX audit_entries_created_at_idx ON audit_entries (created_at);

CREATE TABLE usage_days (
  account_id text   NOT NULL,
  day        date   NOT NULL,
  endpoint   text   NOT NULL,
  calls      bigint NOT NULL CHECK (calls > 0),
  PRIMARY KEY (account_id, day, endpoint)
);
CREATE INDEX usage_days_day_idx ON usage_days (day);
