-- A test key has a tier of its own. Live keys have the tier of their account.
ALTER TABLE api_keys ADD COLUMN test_tier text CHECK (test_tier IN ('open', 'pro', 'business', 'enterprise'));
