-- The positions that automation rules are about. A row stays when its rule is gone, so that a replay cannot bring it back.
CREATE TABLE rules (
  rule_id     text           PRIMARY KEY,
  position_id text           NOT NULL,
  is_active   boolean        NOT NULL,
  updated_at  timestamptz(3) NOT NULL
);
CREATE INDEX rules_active ON rules (position_id) WHERE is_active;
