-- The name that an account gave to a wallet, from wallet.v1.
ALTER TABLE watches ADD COLUMN label text;
