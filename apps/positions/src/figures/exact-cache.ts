import type { BlockRef, ChainReadCode } from '@plimsoll/evm';
import type { ProtocolReader, RawPosition } from '@plimsoll/protocols';
import type { Address } from 'viem';
import { positionsByWallet } from '../tracking/market-tracker';
import type { ReportMismatches } from '../verification/verdict-watch';

const MAX_ENTRIES = 5_000;

/** The positions of a wallet, or the reason why it could not be read. */
export type Exact = { held: readonly RawPosition[] } | { reason: ChainReadCode };

/**
 * Exact reads of wallets that are not tracked, kept as long as requests for their block arrive. Several
 * callers of the same wallet and block share one read.
 */
export class ExactCache {
  private readonly entries = new Map<string, Promise<Exact>>();

  constructor(private readonly report: ReportMismatches) {}

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
      const batch = this.readBatch(reader, missing, block);
      for (const wallet of missing)
        this.put(
          keyOf(wallet),
          batch.then((read) => read.get(wallet)!),
        );
    }
    const found = wallets.map(async (wallet): Promise<[Address, Exact]> => [
      wallet,
      (await this.entries.get(keyOf(wallet))) ?? { reason: 'call_failed' as const },
    ]);
    return new Map(await Promise.all(found));
  }

  private async readBatch(
    reader: ProtocolReader<unknown, unknown>,
    wallets: readonly Address[],
    block: BlockRef,
  ): Promise<Map<Address, Exact>> {
    const read = await reader.readPositions(wallets, block);
    this.report(reader.row, block, read.mismatches);
    const found = positionsByWallet(read, wallets);
    const failureOf = (wallet: Address): Exact => {
      const part = read.unreadable.find((each) => each.wallets.length === 0 || each.wallets.includes(wallet));
      return { reason: part?.reason ?? 'call_failed' };
    };
    return new Map(
      wallets.map((wallet) => {
        const held = found.get(wallet);
        return [wallet, held ? { held } : failureOf(wallet)];
      }),
    );
  }

  private put(key: string, entry: Promise<Exact>): void {
    const forget = (): void => void this.entries.delete(key);
    this.entries.set(key, entry);
    entry.then((exact) => 'reason' in exact && forget(), forget);
    const oldest = this.entries.keys().next().value;
    if (this.entries.size > MAX_ENTRIES && oldest !== undefined) this.entries.delete(oldest);
  }
}
