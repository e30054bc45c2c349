-- Postgres takes no statistics from partial indexes. Without these, it took each filter on the content for equally rare.
CREATE STATISTICS alerts_of_content ON (content ->> 'wallet'), (content ->> 'protocol'), (content ->> 'chainId') FROM alerts;
