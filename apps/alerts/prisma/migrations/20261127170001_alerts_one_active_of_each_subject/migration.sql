CREATE UNIQUE INDEX CONCURRENTLY alerts_one_active_of_each_subject
  ON alerts (account_id, type, coalesce(position_id, ''), coalesce(rule_id, ''), coalesce(webhook_id, ''),
    coalesce(asset, ''), coalesce(whale_subject, ''), coalesce(change_id, ''))
  WHERE resolved_at IS NULL;
