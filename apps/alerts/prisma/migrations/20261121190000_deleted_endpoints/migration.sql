-- An endpoint that was deleted: deliveries of before that come after are no news, and rules that name it tell nobody.
ALTER TABLE webhook_states ADD COLUMN deleted_at timestamptz(3);
