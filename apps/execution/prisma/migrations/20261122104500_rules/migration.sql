-- What rules ask for: the rule, and the events of them that were handled.
ALTER TABLE executions ADD COLUMN rule_id text;

CREATE TABLE inbox (
  consumer text        NOT NULL,
  event_id text        NOT NULL,
  seen_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (consumer, event_id)
);
CREATE INDEX inbox_seen_at ON inbox (seen_at);
