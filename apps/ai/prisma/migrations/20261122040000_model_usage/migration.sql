-- What an account's answers took from the language model on a day (UTC).
CREATE TABLE model_usage (
  account_id text    NOT NULL,
  day        date    NOT NULL,
  tokens     bigint  NOT NULL,
  nano_usd   numeric NOT NULL,
  PRIMARY KEY (account_id, day)
);
