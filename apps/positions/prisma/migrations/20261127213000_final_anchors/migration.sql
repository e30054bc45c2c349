-- Whether no reorg can change any more which transaction of the nonce is in a block. The first round checks those of earlier releases.
ALTER TABLE receipt_anchors ADD COLUMN is_final boolean NOT NULL DEFAULT false;
CREATE INDEX receipt_anchors_open ON receipt_anchors (chain_id, account, nonce) WHERE NOT is_final;
