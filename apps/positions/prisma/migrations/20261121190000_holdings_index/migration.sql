-- Which sub-ids (Morpho markets, troves, account numbers) a wallet ever acted in, learned from logs. A row may come from a
-- block that a reorg took away: it says where to look, never what is there.
CREATE TABLE holdings_index (
  chain_id integer NOT NULL,
  protocol text    NOT NULL,
  market   text    NOT NULL,
  wallet   text    NOT NULL,
  sub_id   text    NOT NULL,
  PRIMARY KEY (chain_id, protocol, market, wallet, sub_id)
);

-- How far the logs of a registry row are read; blocks after it are read again until they are confirmed.
CREATE TABLE holdings_index_cursors (
  chain_id   integer NOT NULL,
  protocol   text    NOT NULL,
  market     text    NOT NULL,
  -- What was read: a row whose contracts or events change is read anew.
  source     text    NOT NULL,
  block      bigint  NOT NULL,
  -- Null before the first block of the contract.
  block_hash text,
  PRIMARY KEY (chain_id, protocol, market)
);
