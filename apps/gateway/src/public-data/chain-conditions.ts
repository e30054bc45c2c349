import { Injectable } from '@nestjs/common';
import type { ChainCondition, MarketCondition } from '@plimsoll/contracts';
import { UpstreamJson } from './upstream-json';

/** As market-data has them. */
export interface ChainConditions {
  chains: ChainCondition[];
  markets: MarketCondition[];
}

/** The present condition of chains and markets. */
@Injectable()
export class ChainConditionsReader {
  constructor(private readonly upstream: UpstreamJson) {}

  /** Null: market-data does not respond. */
  async read(): Promise<ChainConditions | null> {
    try {
      return await this.upstream.read<ChainConditions>('market-data', '/inner/chains');
    } catch {
      return null;
    }
  }
}
