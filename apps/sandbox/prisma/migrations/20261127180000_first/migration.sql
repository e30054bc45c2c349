-- The test market of an account. Start time and actions restore it.
CREATE TABLE sandboxes (
  account_id   text           PRIMARY KEY,
  generation   integer        NOT NULL DEFAULT 1 CHECK (generation > 0),
  started_at   timestamptz(0) NOT NULL,
  last_used_at timestamptz(3) NOT NULL
);
CREATE INDEX sandboxes_last_used_at_idx ON sandboxes (last_used_at);

-- Actions on a market since its start or its last reset.
CREATE TABLE actions (
  account_id text    NOT NULL REFERENCES sandboxes (account_id) ON DELETE CASCADE ON UPDATE CASCADE,
  number     integer NOT NULL CHECK (number > 0),
  action     jsonb   NOT NULL,
  PRIMARY KEY (account_id, number)
);
