-- What an operator has to look at. One open alert for each kind and subject.
CREATE TABLE operator_alerts (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind        text           NOT NULL,
  subject     text           NOT NULL,
  detail      text           NOT NULL,
  remedy      text           NOT NULL DEFAULT '',
  opened_at   timestamptz(3) NOT NULL,
  resolved_at timestamptz(3)
);
CREATE UNIQUE INDEX operator_alerts_open ON operator_alerts (kind, subject) WHERE resolved_at IS NULL;

-- Positions whose figure differs from the contract's by more than rounding, until a block agrees again.
CREATE TABLE verdict_mismatches (
  chain_id int            NOT NULL,
  family   text           NOT NULL,
  figure   text           NOT NULL,
  protocol text           NOT NULL,
  market   text           NOT NULL,
  wallet   text           NOT NULL,
  block    bigint         NOT NULL,
  -- Null without debt.
  computed numeric(78, 0),
  contract numeric(78, 0),
  seen_at  timestamptz(3) NOT NULL,
  PRIMARY KEY (chain_id, family, figure, protocol, market, wallet)
);
