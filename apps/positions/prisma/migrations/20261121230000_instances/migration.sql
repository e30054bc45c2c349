-- Processes of this service that share the wallets; a row whose time is not renewed is one that is gone.
CREATE TABLE instances (
  id      text        PRIMARY KEY,
  seen_at timestamptz NOT NULL
);
