-- Only events of wallets in these groups. Empty: every event, as before.
ALTER TABLE webhooks ADD COLUMN wallet_group_ids text[] NOT NULL DEFAULT '{}';
-- The wallet groups that contain a wallet, from wallet.v1.
ALTER TABLE watches ADD COLUMN group_ids text[] NOT NULL DEFAULT '{}';
