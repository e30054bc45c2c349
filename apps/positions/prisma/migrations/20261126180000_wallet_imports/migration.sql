-- Imports of many wallets. A batch of rows, its wallets and its progress are one transaction.
CREATE TABLE wallet_imports (
  id              text           NOT NULL PRIMARY KEY,
  account_id      text           NOT NULL,
  state           text           NOT NULL DEFAULT 'pending',
  -- Cap of watched wallets when the import began. Null: none.
  wallets_cap     integer,
  -- Groups of the rows that name none themselves. Null: no groups.
  group_ids       text[],
  total           integer        NOT NULL,
  done            integer        NOT NULL DEFAULT 0,
  added           integer        NOT NULL DEFAULT 0,
  already_watched integer        NOT NULL DEFAULT 0,
  rejected        integer        NOT NULL DEFAULT 0,
  -- Failed batches in a row.
  failures        integer        NOT NULL DEFAULT 0,
  -- The open import with the oldest turn is next.
  turn_at         timestamptz    NOT NULL DEFAULT clock_timestamp(),
  request_id      text,
  traceparent     text,
  created_at      timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  completed_at    timestamptz(3)
);
CREATE INDEX wallet_imports_of_account ON wallet_imports (account_id, id);
CREATE INDEX wallet_imports_open ON wallet_imports (account_id, id) WHERE completed_at IS NULL;
CREATE INDEX wallet_imports_completed_at ON wallet_imports (completed_at);

-- Rows that are not done, and rejected ones.
CREATE TABLE wallet_import_rows (
  import_id text    NOT NULL REFERENCES wallet_imports (id) ON DELETE CASCADE ON UPDATE CASCADE,
  index     integer NOT NULL,
  wallet    jsonb   NOT NULL,
  -- The first mistake of a rejected row.
  field     text,
  code      text,
  message   text,
  PRIMARY KEY (import_id, index)
);
