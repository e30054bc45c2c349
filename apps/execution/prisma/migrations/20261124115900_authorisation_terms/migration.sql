-- Each nonce of a wallet authorises an account once. It is kept until the text that contains it has expired.
CREATE TABLE authorisation_nonces (
  account_id text           NOT NULL,
  chain_id   integer        NOT NULL,
  wallet     text           NOT NULL,
  nonce      text           NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (account_id, chain_id, wallet, nonce)
);
CREATE INDEX authorisation_nonces_expires_at ON authorisation_nonces (expires_at);

-- Existing authorisations, and those that the previous release still adds, have no nonce and end after 30 days.
ALTER TABLE authorisations
  ADD COLUMN id         text           COLLATE "C" NOT NULL DEFAULT 'aut_' || left(replace(gen_random_uuid()::text, '-', ''), 22),
  ADD COLUMN nonce      text           NOT NULL DEFAULT '',
  ADD COLUMN expires_at timestamptz(3) NOT NULL DEFAULT now() + interval '30 days';
CREATE UNIQUE INDEX authorisations_id ON authorisations (id);
CREATE INDEX authorisations_expires_at ON authorisations (expires_at);

INSERT INTO authorisation_nonces (account_id, chain_id, wallet, nonce, expires_at)
SELECT account_id, chain_id, wallet, '', 'infinity' FROM authorisations;
