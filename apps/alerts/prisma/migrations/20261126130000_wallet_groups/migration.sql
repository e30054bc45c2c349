-- The wallet groups that contain a wallet, from wallet.v1.
ALTER TABLE watches ADD COLUMN group_ids jsonb NOT NULL DEFAULT '[]';
