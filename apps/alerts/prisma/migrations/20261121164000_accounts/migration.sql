-- Whether an account's tier has automation, from account.v1; an account that is not here has it.
CREATE TABLE accounts (
  account_id   text           PRIMARY KEY,
  may_automate boolean        NOT NULL,
  updated_at   timestamptz(3) NOT NULL
);
CREATE INDEX rules_active_of_account ON rules (account_id) WHERE is_active;
