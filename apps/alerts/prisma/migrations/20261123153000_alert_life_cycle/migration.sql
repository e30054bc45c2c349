-- What a danger alert says of itself while it is open, and how it ended. Null in rows of earlier releases, which go on
-- writing them without these columns.
ALTER TABLE alerts
  ADD COLUMN level               text,
  ADD COLUMN health_factor       double precision,
  ADD COLUMN updated_at          timestamptz(3),
  ADD COLUMN revision            bigint NOT NULL DEFAULT 1,
  ADD COLUMN resolve_reason      text,
  ADD COLUMN escalated_to        text COLLATE "C",
  ADD COLUMN opened_block        bigint,
  ADD COLUMN opened_block_hash   text,
  ADD COLUMN worsened_block      bigint,
  ADD COLUMN worsened_block_hash text;
-- One danger alert for an account and position. An earlier release, which opens two, writes no level.
CREATE UNIQUE INDEX alerts_one_danger ON alerts (position_id, account_id)
  WHERE resolved_at IS NULL AND level IS NOT NULL AND rule_id IS NULL;

-- Null until the position's next event.
ALTER TABLE positions
  ADD COLUMN is_usd_known boolean NOT NULL DEFAULT true,
  ADD COLUMN block_hash   text;

CREATE TABLE alert_settings (
  account_id           text             PRIMARY KEY,
  min_usd              double precision NOT NULL,
  target_health_factor double precision NOT NULL,
  updated_at           timestamptz(3)   NOT NULL
);
