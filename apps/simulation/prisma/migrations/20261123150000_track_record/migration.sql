-- The latest position.v1 of each position that is tracked: those with the lowest ranks (a hash of the id), and those that
-- have open forecasts.
CREATE TABLE tracked_positions (
  id       text    COLLATE "C" PRIMARY KEY,
  rank     bigint  NOT NULL,
  sequence integer NOT NULL,
  event    jsonb   NOT NULL
);
CREATE INDEX tracked_positions_by_rank ON tracked_positions (rank, id);

-- A row for each position, horizon and slot of time. outcome is null while the forecast is open.
CREATE TABLE forecasts (
  position_id    text           COLLATE "C" NOT NULL,
  horizon_days   smallint       NOT NULL,
  slot           timestamptz(3) NOT NULL,
  made_at        timestamptz(3) NOT NULL,
  expires_at     timestamptz(3) NOT NULL,
  sequence       integer        NOT NULL,
  block          bigint         NOT NULL,
  chain_id       integer        NOT NULL,
  protocol       text           NOT NULL,
  asset          text           NOT NULL,
  band           text           NOT NULL,
  health_factor  float8         NOT NULL,
  model          text           NOT NULL,
  model_version  text           NOT NULL,
  probability    float8         NOT NULL CHECK (probability BETWEEN 0 AND 1),
  standard_error float8         NOT NULL,
  outcome        text,
  outcome_reason text,
  outcome_block  bigint,
  resolved_at    timestamptz(3),
  PRIMARY KEY (position_id, horizon_days, slot)
);
CREATE INDEX forecasts_open ON forecasts (expires_at) WHERE outcome IS NULL;
CREATE INDEX forecasts_open_of_position ON forecasts (position_id) WHERE outcome IS NULL;
CREATE INDEX forecasts_by_slot ON forecasts (horizon_days, slot);
CREATE INDEX forecasts_resolved ON forecasts (expires_at) WHERE outcome IS NOT NULL;

-- Resolved forecasts that are no longer kept as they are, summed up. bin: floor(100 * sqrt(probability)).
CREATE TABLE forecast_totals (
  protocol          text     NOT NULL,
  asset             text     NOT NULL,
  horizon_days      smallint NOT NULL,
  band              text     NOT NULL,
  model_version     text     NOT NULL,
  model             text     NOT NULL,
  bin               smallint NOT NULL,
  forecasts         bigint   NOT NULL,
  events            bigint   NOT NULL,
  sum_probability   float8   NOT NULL,
  sum_variance      float8   NOT NULL,
  sum_squared_error float8   NOT NULL,
  sum_log_score     float8   NOT NULL,
  censored          bigint   NOT NULL,
  sum_censored      float8   NOT NULL,
  resolved_at       timestamptz(3) NOT NULL,
  since             timestamptz(3) NOT NULL,
  PRIMARY KEY (protocol, asset, horizon_days, band, model_version, model, bin)
);

-- And by the day they were made, for the standard error: excess is the sum of outcome - probability.
CREATE TABLE forecast_days (
  day           date     NOT NULL,
  protocol      text     NOT NULL,
  asset         text     NOT NULL,
  horizon_days  smallint NOT NULL,
  band          text     NOT NULL,
  model_version text     NOT NULL,
  excess        float8   NOT NULL,
  PRIMARY KEY (day, protocol, asset, horizon_days, band, model_version)
);

-- Forecasts of one slot whose outcomes are all known; the next cohort of the horizon begins when this one has expired.
CREATE TABLE calibration_cohorts (
  horizon_days    smallint       NOT NULL,
  model_version   text           NOT NULL,
  slot            timestamptz(3) NOT NULL,
  expires_at      timestamptz(3) NOT NULL,
  forecasts       integer        NOT NULL,
  events          integer        NOT NULL,
  censored        integer        NOT NULL,
  sum_probability float8         NOT NULL,
  PRIMARY KEY (horizon_days, model_version, slot)
);

-- What an operator has to look at. One open alert for each kind and subject.
CREATE TABLE operator_alerts (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind        text           NOT NULL,
  subject     text           NOT NULL,
  detail      text           NOT NULL,
  opened_at   timestamptz(3) NOT NULL,
  resolved_at timestamptz(3)
);
CREATE UNIQUE INDEX operator_alerts_open ON operator_alerts (kind, subject) WHERE resolved_at IS NULL;
