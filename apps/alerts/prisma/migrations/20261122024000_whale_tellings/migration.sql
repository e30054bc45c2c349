-- Moves of whales that concern more than one transaction tells: the others are told by those that follow.
CREATE TABLE whale_tellings (
  activity_id text  PRIMARY KEY,
  move        jsonb NOT NULL,
  request_id  text,
  traceparent text
);
CREATE INDEX alerts_active_of_move ON alerts (whale_activity_id) WHERE resolved_at IS NULL AND whale_activity_id IS NOT NULL;
CREATE INDEX alerts_active_of_subject ON alerts (whale_subject, account_id) WHERE resolved_at IS NULL AND whale_subject IS NOT NULL;
