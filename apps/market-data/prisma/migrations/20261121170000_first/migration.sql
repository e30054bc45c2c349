CREATE TABLE leases (
  name       text        PRIMARY KEY,
  holder     text        NOT NULL,
  held_until timestamptz NOT NULL
);

-- The latest of each asset, as it was published.
CREATE TABLE prices (
  asset      text        PRIMARY KEY,
  state      jsonb       NOT NULL,
  changed_at timestamptz NOT NULL
) WITH (fillfactor = 70);

CREATE TABLE price_samples (
  asset     text           NOT NULL,
  at        timestamptz(0) NOT NULL,
  price_usd float8         NOT NULL,
  PRIMARY KEY (asset, at)
);
CREATE INDEX price_samples_at ON price_samples (at);

-- The bar of a day as its prices came by; daily_bars has what is published of it.
CREATE TABLE live_bars (
  asset text   NOT NULL,
  day   date   NOT NULL,
  open  float8 NOT NULL,
  high  float8 NOT NULL,
  low   float8 NOT NULL,
  close float8 NOT NULL,
  PRIMARY KEY (asset, day)
) WITH (fillfactor = 70);

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
