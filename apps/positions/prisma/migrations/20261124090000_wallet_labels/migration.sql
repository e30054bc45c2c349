-- The name that an account gave to a wallet.
ALTER TABLE watched_wallets ADD COLUMN label text;
