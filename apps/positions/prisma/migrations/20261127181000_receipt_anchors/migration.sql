-- Transactions that write roots of the log of receipts on a chain. Each is stored before it is sent.
CREATE TABLE receipt_anchors (
  -- Of the transaction.
  hash         text           NOT NULL PRIMARY KEY,
  hour         timestamptz(0) NOT NULL REFERENCES receipt_roots (hour),
  chain_id     bigint         NOT NULL,
  -- The sender, in lower case.
  account      text           NOT NULL,
  nonce        bigint         NOT NULL,
  -- In wei for a unit of gas.
  max_fee      numeric(78, 0) NOT NULL,
  priority_fee numeric(78, 0) NOT NULL,
  -- The signed transaction.
  raw          text           NOT NULL,
  signed_at    timestamptz(3) NOT NULL,
  -- Whether it was seen in a block.
  is_mined     boolean        NOT NULL DEFAULT false
);
CREATE INDEX receipt_anchors_hour ON receipt_anchors (hour);
CREATE INDEX receipt_anchors_nonce ON receipt_anchors (chain_id, account, nonce);
