import { Injectable } from '@nestjs/common';
import type { MarketRow } from '@plimsoll/evm';
import { Pool } from 'pg';
import type { Address, Hex } from 'viem';
import { PrismaClient } from '../generated/prisma/client';

/** The block up to which the logs of a row are read. */
export interface Cursor {
  block: bigint;
  hash: Hex | null;
}

/** A wallet that may hold something in a sub-id. */
export interface IndexEntry {
  wallet: Address;
  subId: string;
}

type RowKey = Pick<MarketRow, 'chainId' | 'protocol' | 'market'>;
const keyOf = ({ chainId, protocol, market }: RowKey): [number, string, string] => [
  chainId,
  protocol,
  market,
];

const SUB_IDS = `
SELECT wallet, array_agg(sub_id ORDER BY sub_id) AS "subIds" FROM holdings_index
WHERE chain_id = $1 AND protocol = $2 AND market = $3 AND wallet = ANY($4::text[]) GROUP BY wallet`;

const ADD = `
INSERT INTO holdings_index (chain_id, protocol, market, wallet, sub_id)
SELECT $1, $2, $3, wallet, sub_id FROM unnest($4::text[], $5::text[]) AS entry (wallet, sub_id) ORDER BY 4, 5
ON CONFLICT DO NOTHING`;

/** Several instances read the same logs. The highest cursor wins. */
const ADVANCE = `
INSERT INTO holdings_index_cursors (chain_id, protocol, market, source, block, block_hash)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (chain_id, protocol, market) DO UPDATE
SET source = excluded.source, block = excluded.block, block_hash = excluded.block_hash
WHERE holdings_index_cursors.block < excluded.block OR holdings_index_cursors.source <> excluded.source`;

/** The tables of the index. */
@Injectable()
export class HoldingsIndexRepository {
  constructor(
    private readonly pool: Pool,
    private readonly prisma: PrismaClient,
  ) {}

  async subIds(row: RowKey, wallets: readonly Address[]): Promise<Map<Address, string[]>> {
    const { rows } = await this.pool.query<{ wallet: Address; subIds: string[] }>(SUB_IDS, [
      ...keyOf(row),
      wallets,
    ]);
    return new Map(rows.map(({ wallet, subIds }) => [wallet, subIds]));
  }

  async add(row: RowKey, entries: readonly IndexEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const wallets = entries.map(({ wallet }) => wallet);
    await this.pool.query(ADD, [...keyOf(row), wallets, entries.map(({ subId }) => subId)]);
  }

  /** The cursor with the source that it belongs to. Null before the first read of the row. */
  async cursor({ chainId, protocol, market }: RowKey): Promise<(Cursor & { source: string }) | null> {
    const found = await this.prisma.holdingsIndexCursor.findFirst({ where: { chainId, protocol, market } });
    return found && { source: found.source, block: found.block, hash: found.blockHash as Hex | null };
  }

  async advance(row: RowKey, source: string, { block, hash }: Cursor): Promise<void> {
    await this.pool.query(ADVANCE, [...keyOf(row), source, block, hash]);
  }

  async rewind(row: RowKey, source: string, { block, hash }: Cursor): Promise<void> {
    const { chainId, protocol, market } = row;
    await this.prisma.holdingsIndexCursor.updateMany({
      where: { chainId, protocol, market, source },
      data: { block, blockHash: hash },
    });
  }
}
