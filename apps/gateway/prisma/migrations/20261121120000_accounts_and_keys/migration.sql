CREATE TABLE accounts (
  id                  text           PRIMARY KEY,
  email               text           NOT NULL,
  tier                text           NOT NULL CHECK (tier IN ('open', 'pro', 'business', 'enterprise')),
  requests_per_minute integer        CHECK (requests_per_minute > 0),
  created_at          timestamptz(3) NOT NULL DEFAULT now(),
  updated_at          timestamptz(3) NOT NULL DEFAULT now(),
  CHECK (email = lower(email))
);
CREATE UNIQUE INDEX accounts_email_key ON accounts (email);

CREATE TABLE api_keys (
  id         text           PRIMARY KEY,
  account_id text           NOT NULL REFERENCES accounts (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  key_hash   text           NOT NULL CHECK (key_hash ~ '^[0-9a-f]{64}$'),
  hint       text           NOT NULL,
  name       text           NOT NULL,
  scopes     text[]         NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3)
);
CREATE UNIQUE INDEX api_keys_key_hash_key ON api_keys (key_hash);
CREATE INDEX api_keys_account_id_created_at_idx ON api_keys (account_id, created_at);

-- The outbox of event-bus: `xid` stands before `id`, so that a transaction has its number before it takes an id.
CREATE TABLE outbox (
  xid        xid8        NOT NULL DEFAULT pg_current_xact_id(),
  id         bigserial   PRIMARY KEY,
  event_id   text        NOT NULL,
  topic      text        NOT NULL,
  key        text        NOT NULL,
  value      text,
  headers    jsonb       NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
