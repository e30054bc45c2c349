-- Protocols whose large moves an account wants to hear of, whether or not it has a position there.
CREATE TABLE watched_protocols (
  account_id text           NOT NULL,
  protocol   text           NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (account_id, protocol)
);
CREATE INDEX watched_protocols_of_protocol ON watched_protocols (protocol);
