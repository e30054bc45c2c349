-- Minutes of each condition by UTC day and part of the platform, for 90 days. One gateway records a minute.
CREATE TABLE status_days (
  day             date           NOT NULL,
  -- `platform`, the name of a service, or `chain:` and the id of a chain.
  part            text           NOT NULL,
  first_minute    timestamptz(0) NOT NULL,
  last_minute     timestamptz(0) NOT NULL,
  operational     integer        NOT NULL,
  degraded        integer        NOT NULL,
  down            integer        NOT NULL,
  -- Minutes with a latency of events, and the sum and the highest of their 95th percentiles.
  latency_minutes integer        NOT NULL,
  latency_sum_ms  double precision NOT NULL,
  latency_max_ms  double precision,
  PRIMARY KEY (day, part)
);

-- When each market was read last, as far as a gateway has seen it.
CREATE TABLE status_markets (
  chain_id         integer        NOT NULL,
  protocol         text           NOT NULL,
  market           text           NOT NULL,
  last_read_block  bigint,
  last_read_at     timestamptz(3),
  -- The minute in which it was first found unreadable. Null: it is read.
  unreadable_since timestamptz(0),
  updated_at       timestamptz(0) NOT NULL,
  PRIMARY KEY (chain_id, protocol, market)
);
