import type { LibraryMigration } from '../database/migrate';

/**
 * Table `idempotency` of a service that accepts Idempotency-Key, in the service's own schema. A row is claimed before the work begins. It receives its response (`status` and the following
 * columns) in the transaction of the effect. `sealed_with` is the id of the key that encrypts `body`, or
 * null.
 */
export const IDEMPOTENCY_SQL = `
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
`;

/** For DatabaseModule of such a service. */
export const IDEMPOTENCY_MIGRATION: LibraryMigration = {
  name: '20261124090200_library_idempotency',
  sql: IDEMPOTENCY_SQL,
};
