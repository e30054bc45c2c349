-- What price.v1 says, and alerts about assets.
CREATE TABLE prices (
  asset          text           PRIMARY KEY,
  price_usd      float8         NOT NULL,
  spread_percent float8,
  is_stale       boolean        NOT NULL,
  observed_at    timestamptz(3) NOT NULL,
  published_at   timestamptz(3) NOT NULL,
  silent_at      timestamptz(3) NOT NULL
) WITH (fillfactor = 80);

CREATE TABLE price_minutes (
  asset  text           NOT NULL,
  minute bigint         NOT NULL,
  high   float8         NOT NULL,
  low    float8         NOT NULL,
  close  float8         NOT NULL,
  at     timestamptz(3) NOT NULL,
  PRIMARY KEY (asset, minute)
);
CREATE INDEX price_minutes_minute ON price_minutes USING brin (minute);

-- While severity is there, everyone who holds the asset has the alert.
CREATE TABLE asset_conditions (
  asset         text NOT NULL,
  type          text NOT NULL,
  severity      text,
  title         text NOT NULL,
  message       text NOT NULL,
  last_severity text NOT NULL,
  cleared_at    timestamptz(3),
  PRIMARY KEY (asset, type)
);

-- Named as price.v1 names them. A version that does not know the column leaves it as it is until the next event.
ALTER TABLE positions ADD COLUMN assets jsonb;
UPDATE positions SET assets = (
  SELECT coalesce(jsonb_agg(DISTINCT CASE upper(symbol) WHEN 'WETH' THEN 'ETH' WHEN 'WBTC' THEN 'BTC' ELSE upper(symbol) END), '[]')
  FROM jsonb_object_keys(CASE WHEN closed THEN '{}' ELSE (holdings -> 'collateral') || (holdings -> 'debt') END) AS symbol
) WHERE holdings IS NOT NULL;
CREATE INDEX positions_of_asset ON positions USING gin (assets);

ALTER TABLE alerts ADD COLUMN asset text;
CREATE UNIQUE INDEX alerts_one_active_of_each
  ON alerts (account_id, type, coalesce(position_id, ''), coalesce(rule_id, ''), coalesce(webhook_id, ''), coalesce(asset, ''))
  WHERE resolved_at IS NULL;
-- It allowed an account one active alert of a type without a position, so only one asset could have had one.
DROP INDEX alerts_one_active_each;
CREATE INDEX alerts_active_of_asset ON alerts (asset, type) WHERE resolved_at IS NULL AND asset IS NOT NULL;

CREATE INDEX rules_on_price ON rules (upper(asset), condition_value) WHERE is_active AND asset IS NOT NULL;
