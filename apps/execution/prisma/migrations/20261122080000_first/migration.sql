-- Ids are compared byte by byte: they sort by the time they were made.
CREATE TABLE executions (
  id                   text           COLLATE "C" PRIMARY KEY,
  account_id           text           NOT NULL,
  position_id          text           NOT NULL,
  mode                 text           NOT NULL,
  dry_run              boolean        NOT NULL,
  strategy             text           NOT NULL,
  status               text           NOT NULL,
  protocol             text           NOT NULL,
  chain_id             integer        NOT NULL,
  market               text           NOT NULL,
  sub_id               text,
  wallet               text           NOT NULL,
  target_health_factor float8         NOT NULL,
  max_slippage_bps     integer        NOT NULL,
  asset                text,
  deadline             timestamptz(3) NOT NULL,
  -- What was simulated last, as it is shown.
  plan                 jsonb          NOT NULL,
  health_factor_after  float8,
  transaction_hash     text,
  included_block       bigint,
  included_hash        text,
  confirmations        integer        NOT NULL DEFAULT 0,
  failure_code         text,
  failure_message      text,
  sequence             integer        NOT NULL,
  created_at           timestamptz(3) NOT NULL,
  updated_at           timestamptz(3) NOT NULL,
  -- Of what is submitted: the run that was signed, when it is to be looked at next, and who has it in hand until when.
  run                  jsonb,
  due_at               timestamptz(3),
  lease                uuid,
  leased_until         timestamptz(3),
  request_id           text,
  traceparent          text
);
CREATE INDEX executions_due ON executions (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX executions_of_account ON executions (account_id, id DESC);
CREATE INDEX executions_of_position ON executions (position_id, id DESC);
-- One in flight for a position, whoever asked for it.
CREATE UNIQUE INDEX executions_one_in_flight ON executions (position_id) WHERE status IN ('pending', 'running');

CREATE TABLE execution_steps (
  execution_id     text           NOT NULL REFERENCES executions (id) ON DELETE CASCADE,
  number           bigserial      NOT NULL,
  name             text           NOT NULL,
  at               timestamptz(3) NOT NULL,
  detail           text,
  transaction_hash text,
  block            bigint,
  PRIMARY KEY (execution_id, number)
);

-- Written before it is sent: whoever comes after a killed process sends the same bytes again, and no others.
CREATE TABLE transactions (
  execution_id text           NOT NULL REFERENCES executions (id) ON DELETE CASCADE,
  attempt      integer        NOT NULL,
  -- run, or cancel: nothing, under the same nonce.
  kind         text           NOT NULL,
  chain_id     integer        NOT NULL,
  sender       text           NOT NULL,
  nonce        bigint         NOT NULL,
  hash         text           NOT NULL UNIQUE,
  raw          text           NOT NULL,
  max_fee      numeric(78, 0) NOT NULL,
  priority_fee numeric(78, 0) NOT NULL,
  signed_at    timestamptz(3) NOT NULL,
  sent_at      timestamptz(3),
  PRIMARY KEY (execution_id, attempt)
);

-- The next nonce of each key on each chain; the row is locked while one is taken.
CREATE TABLE keys (
  chain_id   integer NOT NULL,
  sender     text    NOT NULL,
  next_nonce bigint  NOT NULL,
  PRIMARY KEY (chain_id, sender)
);

-- Wallets that let an account run executions for them, by their signature.
CREATE TABLE authorisations (
  account_id text           NOT NULL,
  chain_id   integer        NOT NULL,
  wallet     text           NOT NULL,
  signature  text           NOT NULL,
  at         timestamptz(3) NOT NULL,
  PRIMARY KEY (account_id, chain_id, wallet)
);

-- Every call that could have moved money, refused ones included; never changed.
CREATE TABLE audit (
  id           text           COLLATE "C" PRIMARY KEY,
  account_id   text           NOT NULL,
  key_id       text           NOT NULL,
  request_id   text           NOT NULL,
  action       text           NOT NULL,
  position_id  text           NOT NULL,
  execution_id text,
  outcome      text           NOT NULL,
  asked        jsonb          NOT NULL,
  at           timestamptz(3) NOT NULL
);
CREATE INDEX audit_of_account ON audit (account_id, id DESC);
CREATE INDEX audit_at ON audit (at);

-- What operators switched off while the service runs; beside EXECUTION_OFF. '*' is every chain, every protocol.
CREATE TABLE switches (
  chain_id text NOT NULL,
  protocol text NOT NULL,
  reason   text NOT NULL,
  PRIMARY KEY (chain_id, protocol)
);

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

-- From libs/service-kit: IDEMPOTENCY_SQL.
CREATE TABLE IF NOT EXISTS idempotency (
  account_id    text        NOT NULL,
  method        text        NOT NULL,
  path          text        NOT NULL,
  key           text        NOT NULL,
  request_hash  bytea       NOT NULL,
  claim         uuid        NOT NULL,
  claimed_until timestamptz NOT NULL,
  status        smallint,
  headers       jsonb,
  body          bytea,
  sealed_with   text,
  created_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, method, path, key)
);
CREATE INDEX IF NOT EXISTS idempotency_created_at ON idempotency (created_at);
