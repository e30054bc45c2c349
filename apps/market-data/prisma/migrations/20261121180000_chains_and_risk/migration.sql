-- What chain.v1 last said.
CREATE TABLE chains (
  chain_id   integer     PRIMARY KEY,
  event      jsonb       NOT NULL,
  updated_at timestamptz NOT NULL
) WITH (fillfactor = 70);

-- What position.v1 last said, as far as the index needs it; asset i of a position owes debt_usds[i].
CREATE TABLE tracked_positions (
  id                       text      PRIMARY KEY,
  sequence                 integer   NOT NULL,
  chain_id                 integer   NOT NULL,
  debt_usd                 float8    NOT NULL,
  is_liquidatable_at_shock boolean   NOT NULL,
  debt_assets              text[]    NOT NULL,
  debt_usds                float8[]  NOT NULL
) WITH (fillfactor = 80);

CREATE TABLE tvl_hours (
  hour     timestamptz NOT NULL,
  chain_id integer     NOT NULL,
  protocol text        NOT NULL,
  market   text        NOT NULL,
  tvl_usd  float8      NOT NULL,
  PRIMARY KEY (hour, chain_id, protocol, market)
);

-- Totals of protocols as an API gives them.
CREATE TABLE protocol_tvls (
  protocol    text        PRIMARY KEY,
  tvl_usd     float8      NOT NULL,
  source      text        NOT NULL,
  observed_at timestamptz NOT NULL
);

-- The index as it was at the end of each hour; the newest row is the index of now.
CREATE TABLE risk_index_hours (
  hour                 timestamptz PRIMARY KEY,
  gri                  integer     NOT NULL,
  trend                text        NOT NULL,
  volatility           float8      NOT NULL,
  liquidation_pressure float8      NOT NULL,
  protocol_stability   float8      NOT NULL,
  measured_at          timestamptz NOT NULL
) WITH (fillfactor = 70);
