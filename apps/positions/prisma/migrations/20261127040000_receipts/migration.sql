-- Keys that sign receipts. Public keys are kept, because old receipts need them.
CREATE TABLE receipt_keys (
  id          text           NOT NULL PRIMARY KEY,
  -- The 32 bytes, base64url.
  public_key  text           NOT NULL,
  -- The encrypted private key. Null after the end of the key.
  sealed      bytea,
  sealed_with text           NOT NULL,
  from_at     timestamptz(3) NOT NULL,
  -- Null: no end.
  until_at    timestamptz(3)
);

-- Receipts as they were first signed, each of one account. One partition a day (UTC), made and dropped by the service.
CREATE TABLE receipts (
  account_id text           NOT NULL,
  hash       text           NOT NULL,
  stored_at  timestamptz(3) NOT NULL,
  -- The canonical JSON.
  body       text           NOT NULL,
  PRIMARY KEY (account_id, hash, stored_at)
) PARTITION BY RANGE (stored_at);
