import { Inject, Injectable } from '@nestjs/common';
import type { IndexSource } from '@plimsoll/protocols';
import { Pool } from 'pg';
import type { Address } from 'viem';
import { WhalesConfig } from '../config';

/** A moved token with its last known price. */
export interface MovedToken {
  token: Address;
  decimals: number;
  priceUsd: number;
}

/** Value that a wallet moved in a protocol, USD. */
export interface ProtocolFlow {
  wallet: string;
  protocol: string;
  flowUsd: number;
}

/** Facts about wallets from their activity. */
@Injectable()
export class TrackedWalletsRepository {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly config: WhalesConfig,
  ) {}

  /** Returns the wallets that moved most on the chain. */
  async tracked(chainId: number): Promise<Address[]> {
    const { rows } = await this.pool.query<{ wallet: Address }>(
      `SELECT wallet FROM activity WHERE chain_id = $1 GROUP BY wallet
       ORDER BY coalesce(sum(usd), 0) DESC, wallet LIMIT $2`,
      [chainId, this.config.TRACKED_WALLETS],
    );
    return rows.map(({ wallet }) => wallet);
  }

  /** Returns tokens with an oracle price, because others can log arbitrary values. */
  async tokens(chainId: number): Promise<MovedToken[]> {
    const { rows } = await this.pool.query<MovedToken>(
      `SELECT DISTINCT ON (token) token, decimals, usd / amount AS "priceUsd"
       FROM activity WHERE chain_id = $1 AND usd > 0 ORDER BY token, at DESC`,
      [chainId],
    );
    return rows;
  }

  async flows(wallets: readonly string[]): Promise<ProtocolFlow[]> {
    const { rows } = await this.pool.query<ProtocolFlow>(
      `SELECT wallet, protocol, coalesce(sum(usd), 0) AS "flowUsd" FROM activity
       WHERE wallet = ANY($1) GROUP BY wallet, protocol`,
      [wallets],
    );
    return rows;
  }

  /**
   * Returns sub-ids of a market in which the wallets acted. Several sources may read one market, and a move
   * does not name the source of its log, so the first one covers all.
   * @param wallets as the source stores them
   */
  async subIds(
    { chainId, protocol, market }: { chainId: number; protocol: string; market: string },
    { filedUnder = (wallet: Address) => wallet }: Pick<IndexSource, 'filedUnder'>,
    wallets: readonly Address[],
  ): Promise<Map<Address, string[]>> {
    const [name, source = '0'] = market.split('#');
    if (source !== '0') return new Map();
    // Accounts of one owner that are stored together only differ in their last byte.
    const { rows } = await this.pool.query<{ wallet: Address; subIds: string[] }>(
      `SELECT wallet, array_agg(DISTINCT sub_id) AS "subIds"
       FROM unnest($4::text[]) AS file JOIN activity ON wallet >= left(file, 40) AND wallet <= left(file, 40) || 'ff'
       WHERE chain_id = $1 AND protocol = $2 AND market = $3 GROUP BY wallet`,
      [chainId, protocol, name, wallets],
    );
    const asked = new Set(wallets);
    const found = new Map<Address, string[]>();
    for (const { wallet, subIds } of rows) {
      const file = filedUnder(wallet);
      if (asked.has(file)) found.set(file, [...new Set([...(found.get(file) ?? []), ...subIds])]);
    }
    return found;
  }
}
