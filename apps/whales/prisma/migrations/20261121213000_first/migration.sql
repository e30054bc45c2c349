-- How far the logs of a chain are read; moved in the transaction that writes what they say.
CREATE TABLE cursors (
  chain_id bigint PRIMARY KEY,
  block    bigint NOT NULL,
  hash     text   NOT NULL
);

-- Blocks that the cursor stood on: where a reorg is followed back to.
CREATE TABLE checkpoints (
  chain_id bigint NOT NULL,
  block    bigint NOT NULL,
  hash     text   NOT NULL,
  PRIMARY KEY (chain_id, block)
);

CREATE TABLE activity (
  id               text           PRIMARY KEY,
  chain_id         bigint         NOT NULL,
  protocol         text           NOT NULL,
  market           text           NOT NULL,
  sub_id           text           NOT NULL,
  wallet           text           NOT NULL,
  counterparty     text,
  action           text           NOT NULL,
  token            text           NOT NULL,
  symbol           text           NOT NULL,
  decimals         smallint       NOT NULL,
  amount_raw       numeric(78, 0) NOT NULL,
  amount           float8         NOT NULL,
  -- Null: no oracle prices the token.
  usd              float8,
  price_basis      text           NOT NULL,
  block            bigint         NOT NULL,
  block_hash       text           NOT NULL,
  transaction_hash text           NOT NULL,
  log_index        integer        NOT NULL,
  at               timestamptz(3) NOT NULL,
  -- whale.v1 told of it, and has to take it back.
  is_published     boolean        NOT NULL
);
CREATE INDEX activity_newest ON activity (at DESC, block DESC, log_index DESC, id DESC);
CREATE INDEX activity_of_wallet ON activity (wallet, at DESC, block DESC, log_index DESC, id DESC);
CREATE INDEX activity_of_block ON activity (chain_id, block);

-- Who let whom act for it, as logged; the newest of a pair stands.
CREATE TABLE permissions (
  chain_id   bigint  NOT NULL,
  block_hash text    NOT NULL,
  log_index  integer NOT NULL,
  block      bigint  NOT NULL,
  wallet     text    NOT NULL,
  delegate   text    NOT NULL,
  is_granted boolean NOT NULL,
  PRIMARY KEY (chain_id, block_hash, log_index)
);
CREATE INDEX permissions_of_block ON permissions (chain_id, block);

-- Tokens that tracked wallets received.
CREATE TABLE transfers (
  chain_id   bigint  NOT NULL,
  block_hash text    NOT NULL,
  log_index  integer NOT NULL,
  block      bigint  NOT NULL,
  token      text    NOT NULL,
  sender     text    NOT NULL,
  recipient  text    NOT NULL,
  usd        float8  NOT NULL,
  PRIMARY KEY (chain_id, block_hash, log_index)
);
CREATE INDEX transfers_of_block ON transfers (chain_id, block);

-- Up to which block the transfers to a wallet are read.
CREATE TABLE scanned_wallets (
  chain_id bigint NOT NULL,
  wallet   text   NOT NULL,
  block    bigint NOT NULL,
  PRIMARY KEY (chain_id, wallet)
);

CREATE TABLE clusters (
  id                text           PRIMARY KEY,
  wallet_count      integer        NOT NULL,
  total_value_usd   float8         NOT NULL,
  dominant_protocol text           NOT NULL,
  updated_at        timestamptz(3) NOT NULL
);
CREATE INDEX clusters_by_value ON clusters (total_value_usd DESC, id DESC);

CREATE TABLE cluster_wallets (
  wallet     text   PRIMARY KEY,
  cluster_id text   NOT NULL REFERENCES clusters (id) ON DELETE CASCADE,
  value_usd  float8 NOT NULL
);
CREATE INDEX cluster_wallets_of_cluster ON cluster_wallets (cluster_id, value_usd DESC);

CREATE TABLE cluster_evidence (
  cluster_id text   NOT NULL REFERENCES clusters (id) ON DELETE CASCADE,
  kind       text   NOT NULL,
  a          text   NOT NULL,
  b          text   NOT NULL,
  chain_id   bigint NOT NULL,
  weight     float8 NOT NULL,
  block      bigint NOT NULL,
  PRIMARY KEY (cluster_id, kind, a, b, chain_id)
);

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
