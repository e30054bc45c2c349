-- Both are checked for every single delivery, and lock the row they point to. Endpoints are never removed, only marked;
-- who removes deliveries removes their attempts.
ALTER TABLE deliveries DROP CONSTRAINT deliveries_webhook_id_fkey;
ALTER TABLE attempts DROP CONSTRAINT attempts_delivery_id_fkey;
