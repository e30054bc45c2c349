-- Ids are compared byte by byte: they sort by the time they were made.
CREATE TABLE alerts (
  id               text           COLLATE "C" PRIMARY KEY,
  account_id       text           NOT NULL,
  position_id      text,
  type             text           NOT NULL,
  severity         text           NOT NULL,
  title            text           NOT NULL,
  message          text           NOT NULL,
  opened_band      text,
  confidence_score float8         NOT NULL,
  created_at       timestamptz(3) NOT NULL,
  resolved_at      timestamptz(3)
);
CREATE INDEX alerts_of_account ON alerts (account_id, id DESC);
CREATE INDEX alerts_active_of_account ON alerts (account_id, id DESC) WHERE resolved_at IS NULL;
CREATE INDEX alerts_of_position ON alerts (position_id, resolved_at);
CREATE UNIQUE INDEX alerts_one_active ON alerts (position_id, account_id, type) WHERE resolved_at IS NULL;

CREATE TABLE positions (
  id             text    PRIMARY KEY,
  sequence       bigint  NOT NULL,
  wallet         text    NOT NULL,
  protocol       text    NOT NULL,
  chain_id       integer NOT NULL,
  health_factor  float8,
  collateral_usd float8  NOT NULL,
  debt_usd       float8  NOT NULL,
  band           text    NOT NULL,
  closed         boolean NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX positions_of_wallet ON positions (wallet);

CREATE TABLE watches (
  wallet     text           NOT NULL,
  account_id text           NOT NULL,
  watching   boolean        NOT NULL,
  changed_at timestamptz(3) NOT NULL,
  PRIMARY KEY (wallet, account_id)
);

CREATE TABLE due_openings (
  position_id text           NOT NULL,
  account_id  text           NOT NULL,
  type        text           NOT NULL,
  due_at      timestamptz(3) NOT NULL,
  request_id  text,
  traceparent text,
  PRIMARY KEY (position_id, account_id, type)
);
CREATE INDEX due_openings_due_at ON due_openings (due_at);

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
