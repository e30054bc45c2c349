-- Positions as they were: every hour and at each material change, thinned out with age. One partition a month (UTC), made
-- and dropped by the service.
CREATE TABLE position_snapshots (
  wallet               text           NOT NULL,
  at                   timestamptz(3) NOT NULL,
  position_id          text           NOT NULL,
  block                bigint         NOT NULL,
  -- Wad; null without debt.
  health_factor_raw    numeric(78, 0),
  total_collateral_raw numeric(78, 0) NOT NULL,
  total_debt_raw       numeric(78, 0) NOT NULL,
  base_decimals        smallint       NOT NULL,
  -- Dollars (wad) for one unit of the base currency.
  usd_per_base_raw     numeric(78, 0) NOT NULL,
  PRIMARY KEY (wallet, at, position_id)
) PARTITION BY RANGE (at);

-- How far snapshots are thinned out. One row; it is locked by the instance that does it.
CREATE TABLE snapshot_thinning (
  id           boolean     PRIMARY KEY DEFAULT true CHECK (id),
  -- Before this one an hour is left, and before the other one a day.
  hourly_until timestamptz NOT NULL DEFAULT '-infinity',
  daily_until  timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO snapshot_thinning DEFAULT VALUES;
