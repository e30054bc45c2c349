-- Resets of an account on one UTC day, which have a limit.
ALTER TABLE sandboxes
  ADD COLUMN reset_day     date,
  ADD COLUMN resets_of_day integer NOT NULL DEFAULT 0;
