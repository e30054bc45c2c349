-- An active alert whose changes the account does not want to receive. Null: it receives them.
ALTER TABLE alerts ADD COLUMN silence text, ADD COLUMN silenced_until timestamptz(3),
  ADD COLUMN silenced_severity text, ADD COLUMN silenced_level text;
