import type { SqlExecutor } from '@plimsoll/event-bus';
import type { ActivityRow } from '../activity-row';

/** The columns of a row under their names in code. */
export const ACTIVITY_COLUMNS = `id, chain_id::float8 AS "chainId", protocol, market, sub_id AS "subId", wallet, counterparty,
  action, token, symbol, decimals, amount_raw::text AS "amountRaw", amount, usd, price_basis AS "priceBasis",
  block::float8 AS block, block_hash AS "blockHash", transaction_hash AS "transactionHash",
  log_index AS "logIndex", (extract(epoch FROM at) * 1000)::float8 AS "atMs",
  context`;

const INSERT = `
INSERT INTO activity (id, chain_id, protocol, market, sub_id, wallet, counterparty, action, token, symbol, decimals,
  amount_raw, amount, usd, price_basis, block, block_hash, transaction_hash, log_index, at, context, is_published)
SELECT id, chain_id, protocol, market, sub_id, wallet, counterparty, action, token, symbol, decimals,
  amount_raw, amount, usd, price_basis, block, block_hash, transaction_hash, log_index, to_timestamp(at_ms / 1000),
  context, coalesce(usd >= $22, false)
FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
  $10::text[], $11::int[], $12::numeric[], $13::float8[], $14::float8[], $15::text[], $16::bigint[], $17::text[],
  $18::text[], $19::int[], $20::float8[], $21::jsonb[])
  AS row (id, chain_id, protocol, market, sub_id, wallet, counterparty, action, token, symbol, decimals, amount_raw,
    amount, usd, price_basis, block, block_hash, transaction_hash, log_index, at_ms, context)
ON CONFLICT DO NOTHING
RETURNING id`;

/** In the order of the columns. The context follows them. */
const FIELDS = [
  'id',
  'chainId',
  'protocol',
  'market',
  'subId',
  'wallet',
  'counterparty',
  'action',
  'token',
  'symbol',
  'decimals',
  'amountRaw',
  'amount',
  'usd',
  'priceBasis',
  'block',
  'blockHash',
  'transactionHash',
  'logIndex',
  'atMs',
] as const satisfies readonly (keyof ActivityRow)[];

/** Writes rows and returns the new ones in their order. */
export async function insertActivity(
  tx: SqlExecutor,
  rows: readonly ActivityRow[],
  thresholdUsd: number,
): Promise<ActivityRow[]> {
  if (rows.length === 0) return [];
  const columns = [
    ...FIELDS.map((field) => rows.map((row) => row[field])),
    rows.map(({ context }) => context && JSON.stringify(context)),
  ];
  const { rows: added } = await tx.query<{ id: string }>({ name: 'insert-activity', text: INSERT }, [
    ...columns,
    thresholdUsd,
  ]);
  const ids = new Set(added.map(({ id }) => id));
  return rows.filter(({ id }) => ids.has(id));
}

/** Deletes the rows of blocks and returns them. */
export async function deleteActivity(
  tx: SqlExecutor,
  chainId: number,
  blockHashes: readonly string[],
): Promise<(ActivityRow & { isPublished: boolean })[]> {
  const { rows } = await tx.query<ActivityRow & { isPublished: boolean }>(
    `DELETE FROM activity WHERE chain_id = $1 AND block_hash = ANY($2)
     RETURNING ${ACTIVITY_COLUMNS}, is_published AS "isPublished"`,
    [chainId, blockHashes],
  );
  return rows.sort((a, b) => a.block - b.block || a.logIndex - b.logIndex);
}
