import { Injectable } from '@nestjs/common';
import type { ChainConditions } from '@plimsoll/contracts';
import { UpstreamJson } from './upstream-json';

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
