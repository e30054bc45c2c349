-- The figures of an alert as they were when it last changed, and the group that it belongs to.
ALTER TABLE alerts ADD COLUMN content jsonb;
ALTER TABLE alerts ADD COLUMN group_id text;

-- How many sources of a price count; null: one of an earlier release.
ALTER TABLE prices ADD COLUMN sources integer;

-- From which price to which an asset moved.
ALTER TABLE asset_conditions ADD COLUMN move jsonb;

-- Alerts of one account that one cause changed: a notification follows when there are two or more.
CREATE TABLE alert_groups (
  id text PRIMARY KEY,
  account_id text NOT NULL,
  cause jsonb NOT NULL,
  due_at timestamptz(3) NOT NULL,
  -- Null: it may still grow.
  closed_at timestamptz(3),
  request_id text,
  traceparent text
);
CREATE INDEX alert_groups_due_at ON alert_groups (due_at) WHERE closed_at IS NULL;
CREATE INDEX alert_groups_closed_at ON alert_groups (closed_at) WHERE closed_at IS NOT NULL;

CREATE TABLE alert_group_members (
  group_id text NOT NULL REFERENCES alert_groups (id) ON DELETE CASCADE,
  alert_id text NOT NULL,
  PRIMARY KEY (group_id, alert_id)
);

-- An alert about a price lists the positions of its account.
CREATE INDEX watches_of_account ON watches (account_id) WHERE watching;

-- A market price looks at positions whose alert is about a depeg.
CREATE INDEX alerts_about_depegs ON alerts (position_id)
  WHERE resolved_at IS NULL AND content -> 'cause' ->> 'kind' = 'depeg';
