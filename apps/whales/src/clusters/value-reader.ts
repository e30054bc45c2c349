import { Injectable, Logger } from '@nestjs/common';
import { readHeadAt } from '@plimsoll/evm';
import { type HoldingsIndex, type RawPosition, createReaders } from '@plimsoll/protocols';
import type { Address } from 'viem';
import { toDouble } from '../activity-row';
import type { ChainAccess, Cursor } from '../indexing/chain-access';
import { TrackedWalletsRepository } from './tracked-wallets.repository';

const WALLETS_PER_READ = 200;
const WAD_DECIMALS = 18;

/** Net value of wallets from the protocols' own contracts. */
@Injectable()
export class ValueReader {
  private readonly logger = new Logger('values');
  private readonly readers = new WeakMap<
    ChainAccess,
    { rows: number; made: ReturnType<typeof createReaders> }
  >();

  constructor(private readonly tracked: TrackedWalletsRepository) {}

  /** Returns USD by wallet. A wallet without a position on the chain is absent. */
  async read(chain: ChainAccess, wallets: readonly Address[], at: Cursor): Promise<Map<string, number>> {
    const values = new Map<string, number>();
    const block = await readHeadAt(chain.client, at.block);
    if (!block) return values;
    for (const reader of this.readersOf(chain)) {
      for (let from = 0; from < wallets.length; from += WALLETS_PER_READ) {
        const read = await reader.readPositions(wallets.slice(from, from + WALLETS_PER_READ), block);
        for (const position of read.positions) {
          values.set(position.wallet, (values.get(position.wallet) ?? 0) + netUsd(position));
        }
        for (const { protocol, market, reason } of read.unreadable) {
          this.logger.warn({
            msg: 'the value of clusters omits some positions',
            protocol,
            market,
            reason,
          });
        }
      }
    }
    return values;
  }

  private readersOf(chain: ChainAccess): ReturnType<typeof createReaders> {
    const known = this.readers.get(chain);
    const rows = chain.rows();
    if (known?.rows === rows.length) return known.made;
    const { client, multicall, registry } = chain;
    const index: HoldingsIndex = {
      subIdsOf: (row, source, wallets) => this.tracked.subIds(row, source, wallets),
    };
    const made = createReaders(registry, { client, multicall, index }, rows);
    this.readers.set(chain, { rows: rows.length, made });
    return made;
  }
}

function netUsd({ legs, usdPerBaseRaw }: RawPosition): number {
  if (usdPerBaseRaw === null) return 0;
  const usdPerBase = toDouble(usdPerBaseRaw, WAD_DECIMALS);
  return legs.reduce((sum, { side, amountRaw, decimals, priceRaw, priceDecimals }) => {
    const value = toDouble(amountRaw * priceRaw, decimals + priceDecimals) * usdPerBase;
    return side === 'debt' ? sum - value : sum + value;
  }, 0);
}
