import { Inject, Injectable } from '@nestjs/common';
import { inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import type { Address, Hex } from 'viem';
import { PrismaClient } from '../generated/prisma/client';
import type { Cursor } from '../indexing/chain-access';

/** Rows that one statement deletes, so that the cleaner never holds locks for long. */
const DELETE_ROWS = 5_000;

/** A row of `transfers`. */
export interface TransferRow {
  blockHash: Hex;
  logIndex: number;
  block: number;
  token: Address;
  sender: Address;
  recipient: Address;
  usd: number;
}

/** Transfers to tracked wallets, with the progress of reading them. */
@Injectable()
export class TransfersRepository {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly prisma: PrismaClient,
  ) {}

  /** Returns wallets by the block up to which their transfers are read. Null: none yet. */
  async unscanned(
    chainId: number,
    wallets: readonly Address[],
    below: bigint,
  ): Promise<Map<bigint | null, Address[]>> {
    const { rows } = await this.pool.query<{ wallet: Address; block: string | null }>(
      `SELECT wallet, scanned.block FROM unnest($2::text[]) AS wallet
       LEFT JOIN (SELECT wallet, block FROM scanned_wallets WHERE chain_id = $1) AS scanned USING (wallet)
       WHERE scanned.block IS NULL OR scanned.block < $3`,
      [chainId, wallets, below],
    );
    const groups = new Map<bigint | null, Address[]>();
    for (const { wallet, block } of rows) {
      const key = block === null ? null : BigInt(block);
      groups.set(key, [...(groups.get(key) ?? []), wallet]);
    }
    return groups;
  }

  /** Returns the lowest indexed block of the chain. */
  async floor(chainId: number): Promise<bigint> {
    const { _min } = await this.prisma.checkpoint.aggregate({ _min: { block: true }, where: { chainId } });
    return _min.block ?? 0n;
  }

  /** Writes the wallets' transfers up to the cursor. Returns false when the cursor was rewound meanwhile. */
  async save(
    chainId: number,
    wallets: readonly Address[],
    upTo: Cursor,
    transfers: readonly TransferRow[],
  ): Promise<boolean> {
    return inTransaction(this.pool, async (tx) => {
      const { rowCount } = await tx.query(
        `SELECT 1 FROM checkpoints WHERE chain_id = $1 AND block = $2 AND hash = $3 FOR SHARE`,
        [chainId, upTo.block, upTo.hash],
      );
      if (rowCount !== 1) return false;
      await tx.query(
        `INSERT INTO transfers (chain_id, block_hash, log_index, block, token, sender, recipient, usd)
         SELECT $1, * FROM unnest($2::text[], $3::int[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::float8[])
         ON CONFLICT (chain_id, block_hash, log_index) DO UPDATE SET usd = excluded.usd`,
        [
          chainId,
          transfers.map(({ blockHash }) => blockHash),
          transfers.map(({ logIndex }) => logIndex),
          transfers.map(({ block }) => block),
          transfers.map(({ token }) => token),
          transfers.map(({ sender }) => sender),
          transfers.map(({ recipient }) => recipient),
          transfers.map(({ usd }) => usd),
        ],
      );
      await tx.query(
        `INSERT INTO scanned_wallets (chain_id, wallet, block) SELECT $1, wallet, $3 FROM unnest($2::text[]) AS wallet
         ON CONFLICT (chain_id, wallet) DO UPDATE SET block = excluded.block`,
        [chainId, wallets, upTo.block],
      );
      return true;
    });
  }

  /**
   * Deletes the progress of some wallets without moves. Returns whether there may be more. A wallet that
   * moves again is read from the floor, because its first tokens must not be derived from a part of its
   * transfers.
   */
  async forgetWallets(): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `DELETE FROM scanned_wallets WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM scanned_wallets AS scanned
         WHERE NOT EXISTS (SELECT 1 FROM activity WHERE activity.wallet = scanned.wallet) LIMIT ${DELETE_ROWS}))`,
    );
    return rowCount === DELETE_ROWS;
  }

  /** Deletes some transfers of wallets that are no longer read. Returns whether there may be more. */
  async forgetTransfers(): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `DELETE FROM transfers WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM transfers AS received
         WHERE NOT EXISTS (SELECT 1 FROM scanned_wallets AS scanned
           WHERE scanned.chain_id = received.chain_id AND scanned.wallet = received.recipient) LIMIT ${DELETE_ROWS}))`,
    );
    return rowCount === DELETE_ROWS;
  }
}
