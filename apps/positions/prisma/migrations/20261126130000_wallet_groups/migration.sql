-- Groups of watched wallets, and the groups that contain a wallet.
CREATE TABLE wallet_groups (
  id         text           NOT NULL PRIMARY KEY,
  account_id text           NOT NULL,
  name       text           NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX wallet_groups_of_account ON wallet_groups (account_id, name);
ALTER TABLE watched_wallets ADD COLUMN group_ids text[] NOT NULL DEFAULT '{}';
-- Active alerts about positions, from alert.v1.
CREATE TABLE open_alerts (
  alert_id   text NOT NULL PRIMARY KEY,
  account_id text NOT NULL,
  wallet     text NOT NULL
);
CREATE INDEX open_alerts_of_wallet ON open_alerts (account_id, wallet);
