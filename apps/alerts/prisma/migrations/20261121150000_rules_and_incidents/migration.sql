-- Alerts of rules and of webhook endpoints, and the incident an alert belongs to.
ALTER TABLE alerts
  ADD COLUMN rule_id           text,
  ADD COLUMN webhook_id        text,
  ADD COLUMN target_webhook_id text,
  ADD COLUMN incident_id       text;
CREATE UNIQUE INDEX alerts_one_active_each
  ON alerts (account_id, type, coalesce(position_id, ''), coalesce(rule_id, ''), coalesce(webhook_id, ''))
  WHERE resolved_at IS NULL;
-- It allowed one active alert of a type for a position, so only one rule of an account could have fired on it.
DROP INDEX alerts_one_active;
CREATE INDEX alerts_active_of_webhook ON alerts (webhook_id) WHERE resolved_at IS NULL AND webhook_id IS NOT NULL;
CREATE INDEX alerts_of_incident ON alerts (incident_id, id) WHERE incident_id IS NOT NULL;

-- Null until the position's next event.
ALTER TABLE positions
  ADD COLUMN block            bigint,
  ADD COLUMN block_at         timestamptz(3),
  ADD COLUMN holdings         jsonb,
  ADD COLUMN collateral_peaks jsonb;

-- Empty: a standing condition waits.
ALTER TABLE due_openings ADD COLUMN rule_id text NOT NULL DEFAULT '';
ALTER TABLE due_openings DROP CONSTRAINT due_openings_pkey;
ALTER TABLE due_openings ADD PRIMARY KEY (position_id, account_id, type, rule_id);

CREATE TABLE rules (
  id              text           COLLATE "C" PRIMARY KEY,
  account_id      text           NOT NULL,
  position_id     text           NOT NULL,
  name            text           NOT NULL,
  condition_type  text           NOT NULL,
  condition_value float8         NOT NULL,
  asset           text,
  action_type     text           NOT NULL,
  webhook_id      text,
  is_active       boolean        NOT NULL,
  created_at      timestamptz(3) NOT NULL,
  updated_at      timestamptz(3) NOT NULL
);
CREATE INDEX rules_of_account ON rules (account_id, id DESC);
CREATE INDEX rules_of_position ON rules (position_id) WHERE is_active;

CREATE TABLE executions (
  id           text           COLLATE "C" PRIMARY KEY,
  rule_id      text           NOT NULL,
  account_id   text           NOT NULL,
  alert_id     text           NOT NULL,
  event_id     text           NOT NULL,
  webhook_id   text,
  status       text           NOT NULL,
  result       text           NOT NULL,
  triggered_at timestamptz(3) NOT NULL,
  finished_at  timestamptz(3)
);
CREATE INDEX executions_of_account ON executions (account_id, id DESC);
CREATE INDEX executions_unfinished ON executions (event_id) WHERE finished_at IS NULL;

CREATE TABLE incidents (
  id         text           COLLATE "C" PRIMARY KEY,
  account_id text           NOT NULL,
  protocol   text           NOT NULL,
  chain_id   integer        NOT NULL,
  trigger    text           NOT NULL,
  severity   text           NOT NULL,
  title      text           NOT NULL,
  opened_at  timestamptz(3) NOT NULL,
  closed_at  timestamptz(3)
);
CREATE INDEX incidents_of_account ON incidents (account_id, id DESC);
CREATE UNIQUE INDEX incidents_one_open ON incidents (account_id, protocol, chain_id) WHERE closed_at IS NULL;

-- What happened to an account's positions. Without an incident: it may get into one that is opened soon after.
CREATE TABLE incident_facts (
  id             bigserial      PRIMARY KEY,
  incident_id    text,
  alert_id       text,
  position_id    text           NOT NULL,
  type           text           NOT NULL,
  message        text           NOT NULL,
  at             timestamptz(3) NOT NULL,
  block          bigint,
  band           text           NOT NULL,
  health_factor  float8,
  collateral_usd float8         NOT NULL,
  debt_usd       float8         NOT NULL
);
CREATE INDEX incident_facts_of_incident ON incident_facts (incident_id, id) WHERE incident_id IS NOT NULL;
CREATE INDEX incident_facts_loose ON incident_facts (alert_id) WHERE incident_id IS NULL;

-- The last state of each minute of each position.
CREATE TABLE position_history (
  position_id    text           NOT NULL,
  minute         bigint         NOT NULL,
  at             timestamptz(3) NOT NULL,
  block          bigint         NOT NULL,
  health_factor  float8,
  collateral_usd float8         NOT NULL,
  debt_usd       float8         NOT NULL,
  prices         jsonb          NOT NULL,
  closed         boolean        NOT NULL,
  PRIMARY KEY (position_id, minute)
);
CREATE INDEX position_history_minute ON position_history USING brin (minute);

-- Newest delivery seen of each webhook endpoint, so that a replay cannot bring back an alert.
CREATE TABLE webhook_states (
  webhook_id text           PRIMARY KEY,
  seen_at    timestamptz(3) NOT NULL
);
