-- `authenticated_at` is the last time at which the password was sent, at the log-in or later.
ALTER TABLE sessions
  ADD COLUMN authenticated_at timestamptz(3) NOT NULL DEFAULT now(),
  ADD COLUMN address          text,
  ADD COLUMN user_agent       text;
UPDATE sessions SET authenticated_at = created_at;

ALTER TABLE audit_entries
  ADD COLUMN session_id text,
  ADD COLUMN user_agent text;
