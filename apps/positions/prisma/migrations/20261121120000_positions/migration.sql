CREATE TABLE accounts (
  account_id  text PRIMARY KEY,
  wallets_cap integer,
  updated_at  timestamptz(3)
);

CREATE TABLE watched_wallets (
  account_id    text           NOT NULL,
  address       text           NOT NULL,
  enabled       boolean        NOT NULL DEFAULT true,
  watched_since timestamptz(3) NOT NULL,
  PRIMARY KEY (account_id, address)
);
CREATE INDEX watched_wallets_address_idx ON watched_wallets (address);

CREATE TABLE position_keys (
  id            text           PRIMARY KEY,
  protocol      text           NOT NULL,
  chain_id      integer        NOT NULL,
  market        text           NOT NULL,
  sub_id        text           NOT NULL,
  wallet        text           NOT NULL,
  first_seen_at timestamptz(6) NOT NULL DEFAULT now()
);
CREATE INDEX position_keys_wallet_idx ON position_keys (wallet);

CREATE TABLE positions (
  id                         text           PRIMARY KEY,
  sequence                   integer        NOT NULL,
  wallet                     text           NOT NULL,
  chain_id                   integer        NOT NULL,
  block                      bigint         NOT NULL,
  closed                     boolean        NOT NULL,
  material_health_factor_raw numeric(78, 0),
  event                      jsonb          NOT NULL,
  updated_at                 timestamptz(6) NOT NULL DEFAULT now()
);
CREATE INDEX positions_wallet_chain_id_idx ON positions (wallet, chain_id);

-- From libs/event-bus: OUTBOX_SQL and INBOX_SQL.
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

CREATE TABLE inbox (
  consumer text        NOT NULL,
  event_id text        NOT NULL,
  seen_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (consumer, event_id)
);
CREATE INDEX inbox_seen_at ON inbox (seen_at);
