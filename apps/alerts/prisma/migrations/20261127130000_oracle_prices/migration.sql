-- The last price of each oracle, and the state of its distance from the market price.
CREATE TABLE oracle_prices (
  protocol      text           NOT NULL,
  chain_id      integer        NOT NULL,
  oracle        text           NOT NULL,
  token         text           NOT NULL,
  asset         text           NOT NULL,
  price_usd     float8         NOT NULL,
  block         bigint         NOT NULL,
  published_at  timestamptz(3) NOT NULL,
  severity      text,
  title         text           NOT NULL,
  message       text           NOT NULL,
  last_severity text           NOT NULL,
  cleared_at    timestamptz(3),
  move          jsonb,
  began_at      timestamptz(3),
  PRIMARY KEY (protocol, chain_id, oracle, token)
) WITH (fillfactor = 80);
CREATE INDEX oracle_prices_deviating ON oracle_prices (protocol, chain_id) WHERE severity IS NOT NULL;

-- Oracle and token of each leg that counts. Null until the next event of a position.
ALTER TABLE positions ADD COLUMN oracles jsonb;
