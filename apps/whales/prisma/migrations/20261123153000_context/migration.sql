-- What a move meant for the pool and the wallet, and who its counterparty is. Null: written by an earlier release, or below
-- the whale threshold.
ALTER TABLE activity ADD COLUMN context jsonb;
