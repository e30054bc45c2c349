-- The changes of parameters that governance announced, and their effects on positions.
CREATE TABLE parameter_changes (
  id           text           PRIMARY KEY,
  proposal     text           NOT NULL,
  protocol     text           NOT NULL,
  chain_id     integer        NOT NULL,
  market       text           NOT NULL,
  asset        text           NOT NULL,
  change       jsonb          NOT NULL,
  state        text           NOT NULL,
  listed_at    timestamptz(3) NOT NULL,
  market_at    timestamptz(3) NOT NULL,
  heartbeat_ms integer        NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX parameter_changes_of_market ON parameter_changes (protocol, chain_id, market);
CREATE INDEX parameter_changes_pending ON parameter_changes (market_at) WHERE state = 'pending';

CREATE TABLE parameter_change_effects (
  change_id           text           NOT NULL REFERENCES parameter_changes ON DELETE CASCADE,
  position_id         text           NOT NULL,
  health_factor       float8         NOT NULL,
  health_factor_after float8,
  stated_at           timestamptz(3) NOT NULL,
  PRIMARY KEY (change_id, position_id)
) WITH (fillfactor = 80);

-- The announced change of the alert.
ALTER TABLE alerts ADD COLUMN change_id text;
