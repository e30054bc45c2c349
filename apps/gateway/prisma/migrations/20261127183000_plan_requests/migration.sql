-- Tiers that accounts asked for. An operator applies one with the command line.
CREATE TABLE plan_requests (
  account_id   text           PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  tier         text           NOT NULL CHECK (tier IN ('open', 'pro', 'business', 'enterprise')),
  requested_at timestamptz(3) NOT NULL DEFAULT now()
);
