-- When an account whose address was never confirmed is deleted. null: never.
ALTER TABLE accounts ADD COLUMN expires_at timestamptz(3);
CREATE INDEX accounts_expires_at_idx ON accounts (expires_at);

-- The password of the sign-up that the code confirms. It becomes the account's with the code.
ALTER TABLE mail_tokens ADD COLUMN password_hash text;

-- Browsers that logged in to an account before. Only the SHA-256 of their cookie is stored.
CREATE TABLE devices (
  token_hash text           PRIMARY KEY CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  account_id text           NOT NULL REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX devices_account_id_idx ON devices (account_id);
CREATE INDEX devices_expires_at_idx ON devices (expires_at);

-- Failed log-ins of a client address at an e-mail address, or of a known device, by the SHA-256 of both.
CREATE TABLE log_in_failures (
  subject_hash text           PRIMARY KEY CHECK (subject_hash ~ '^[0-9a-f]{64}$'),
  failures     integer        NOT NULL CHECK (failures > 0),
  retry_at     timestamptz(3) NOT NULL,
  expires_at   timestamptz(3) NOT NULL
);
CREATE INDEX log_in_failures_expires_at_idx ON log_in_failures (expires_at);
