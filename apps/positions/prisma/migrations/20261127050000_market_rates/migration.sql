-- The last rates of each asset of each market.
CREATE TABLE market_rates (
  id                 text           PRIMARY KEY,
  chain_id           int            NOT NULL,
  protocol           text           NOT NULL,
  market             text           NOT NULL,
  -- Empty: the market has one reserve for each asset.
  sub_id             text           NOT NULL,
  token              text           NOT NULL,
  symbol             text           NOT NULL,
  collateral_token   text,
  collateral_symbol  text,
  -- A share for each period. 10^decimals is 100 %.
  decimals           smallint       NOT NULL,
  period             text           NOT NULL,
  periods_per_year   float8,
  compounds_per_year float8,
  -- Null: not stated. The function is null where we computed the rate.
  supply_raw         numeric(78, 0),
  supply_function    text,
  borrow_raw         numeric(78, 0),
  borrow_function    text,
  block              bigint         NOT NULL,
  block_hash         text           NOT NULL,
  block_time         timestamptz(3) NOT NULL,
  read_at            timestamptz(3) NOT NULL,
  -- Set: the market no longer states it.
  removed_at         timestamptz(3)
);
CREATE INDEX market_rates_order ON market_rates (chain_id, protocol, market, id);

-- Rates by hour: the last ones, and sums for the average. One partition a month (UTC), made and dropped by the service.
CREATE TABLE market_rate_hours (
  id             text           NOT NULL,
  hour           timestamptz(0) NOT NULL,
  samples        int            NOT NULL,
  supply_raw     numeric(78, 0),
  borrow_raw     numeric(78, 0),
  -- Of the last rates: a protocol may change how it counts a year.
  periods_per_year   float8,
  compounds_per_year float8,
  -- Yearly shares without compounding: the sum of the reads that stated one, and their number.
  supply_sum     float8         NOT NULL,
  supply_samples int            NOT NULL,
  borrow_sum     float8         NOT NULL,
  borrow_samples int            NOT NULL,
  block          bigint         NOT NULL,
  block_time     timestamptz(3) NOT NULL,
  PRIMARY KEY (id, hour)
) PARTITION BY RANGE (hour);
