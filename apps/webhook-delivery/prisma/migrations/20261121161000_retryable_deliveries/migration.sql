-- Few among many that were delivered: what an account recovers, or looks for in its log.
CREATE INDEX deliveries_retryable ON deliveries (webhook_id, id) WHERE state IN ('failed', 'skipped');
