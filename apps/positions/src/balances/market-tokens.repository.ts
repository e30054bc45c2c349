import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { type Address, zeroAddress } from 'viem';

/** A token of the markets of a chain. */
export interface MarketToken {
  address: Address;
  symbol: string;
}

/** The tokens that the markets of a chain lend, or take as collateral, as the last read of their rates listed them. */
@Injectable()
export class MarketTokensRepository {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /** In the order of their addresses, at most `most`. */
  async on(chainId: number, most: number): Promise<MarketToken[]> {
    const { rows } = await this.pool.query<MarketToken>(
      `SELECT address, min(symbol) AS symbol FROM (
         SELECT token AS address, symbol FROM market_rates WHERE chain_id = $1 AND removed_at IS NULL
         UNION SELECT collateral_token, collateral_symbol FROM market_rates WHERE chain_id = $1 AND removed_at IS NULL
       ) AS tokens
       WHERE address IS NOT NULL AND address <> $2 GROUP BY address ORDER BY address LIMIT $3`,
      [chainId, zeroAddress, most],
    );
    return rows;
  }
}
