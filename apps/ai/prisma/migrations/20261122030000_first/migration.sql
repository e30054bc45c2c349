-- Ids are compared byte by byte: they sort by the time they were made.
CREATE TABLE answers (
  id         text           COLLATE "C" PRIMARY KEY,
  account_id text           NOT NULL,
  kind       text           NOT NULL,
  request_id text           NOT NULL,
  question   text           NOT NULL,
  facts      jsonb          NOT NULL,
  answer     jsonb          NOT NULL,
  prompt     jsonb,
  generator  text           NOT NULL,
  confidence float8         NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX answers_by_age ON answers (created_at);
CREATE INDEX answers_of_account ON answers (account_id, id DESC);
