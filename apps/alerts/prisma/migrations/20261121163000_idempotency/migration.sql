-- From libs/service-kit: IDEMPOTENCY_SQL.
CREATE TABLE IF NOT EXISTS idempotency (
  account_id    text        NOT NULL,
  method        text        NOT NULL,
  path          text        NOT NULL,
  key           text        NOT NULL,
  request_hash  bytea       NOT NULL,
  claim         uuid        NOT NULL,
  claimed_until timestamptz NOT NULL,
  status        smallint,
  headers       jsonb,
  body          bytea,
  sealed_with   text,
  created_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, method, path, key)
);
CREATE INDEX IF NOT EXISTS idempotency_created_at ON idempotency (created_at);
