-- Stores a receipt and its leaf unless the account has one with this hash. Returns the body of the stored one, and null for a new one.
-- A unique key cannot do it, because it must contain the day.
CREATE FUNCTION store_receipt(account text, receipt_hash text, at timestamptz, receipt text, new_leaf bytea)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  known text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('plimsoll:positions:receipt:' || account || ':' || receipt_hash, 0));
  -- A statement of its own, which sees what the former holder of the lock stored.
  SELECT body INTO known FROM receipts
  WHERE account_id = account AND hash = receipt_hash ORDER BY stored_at LIMIT 1;
  IF known IS NULL THEN
    INSERT INTO receipts (account_id, hash, stored_at, body) VALUES (account, receipt_hash, at, receipt);
    INSERT INTO receipt_log_waiting (leaf) VALUES (new_leaf);
  END IF;
  RETURN known;
END $$;
