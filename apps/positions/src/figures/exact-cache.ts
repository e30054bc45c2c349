import type { BlockRef } from '@plimsoll/evm';
import type { ProtocolReader, RawPosition } from '@plimsoll/protocols';
import type { Address } from 'viem';
import { positionsByWallet } from '../tracking/market-tracker';

const MAX_ENTRIES = 5_000;

/** The positions of a wallet. Undefined: it could not be read. */
type Exact = readonly RawPosition[] | undefined;

/**
 * Exact reads of wallets that are not tracked, kept as long as requests for their block arrive. Several
 * callers of the same wallet and block share one read.
 */
export class ExactCache {
  private readonly entries = new Map<string, Promise<Exact>>();

  /** Every requested wallet, at the block. Never rejects because of the chain. */
  async read(
    reader: ProtocolReader<unknown, unknown>,
    wallets: readonly Address[],
    block: BlockRef,
  ): Promise<Map<Address, Exact>> {
    const keyOf = (wallet: Address): string =>
      `${reader.row.protocol} ${reader.row.market} ${wallet} ${block.hash}`;
    const missing = wallets.filter((wallet) => !this.entries.has(keyOf(wallet)));
    if (missing.length > 0) {
      const batch = readBatch(reader, missing, block);
      for (const wallet of missing)
        this.put(
          keyOf(wallet),
          batch.then((read) => read.get(wallet)),
        );
    }
    const found = wallets.map(async (wallet): Promise<[Address, Exact]> => [
      wallet,
      await this.entries.get(keyOf(wallet)),
    ]);
    return new Map(await Promise.all(found));
  }

  private put(key: string, entry: Promise<Exact>): void {
    const forget = (): void => void this.entries.delete(key);
    this.entries.set(key, entry);
    entry.then((exact) => exact === undefined && forget(), forget);
    const oldest = this.entries.keys().next().value;
    if (this.entries.size > MAX_ENTRIES && oldest !== undefined) this.entries.delete(oldest);
  }
}

async function readBatch(
  reader: ProtocolReader<unknown, unknown>,
  wallets: readonly Address[],
  block: BlockRef,
): Promise<Map<Address, readonly RawPosition[]>> {
  return positionsByWallet(await reader.readPositions(wallets, block), wallets);
}
