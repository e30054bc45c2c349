import type { Transaction } from '@plimsoll/evm';
import type { ReceiptCall } from '@plimsoll/receipts';
import type { Address, Hex } from 'viem';
import type { RecordedMarket, RecordedReader } from '../chains/chain-connection';

/** The recording of a reader grows with every receipt. */
const MOST_RECEIPTS = 50;
const MOST_MARKETS = 16;
/** Parts of a market whose calls are known. */
const MOST_PARTS = 64;

/** The newest block of a market for receipts. */
export class SharedReader {
  private blockHash = '';
  private receipts = 0;
  private current: Promise<RecordedReader | null> = Promise.resolve(null);
  /** The calls of the last receipt that are not about its wallet, by part of the market (the sub-id). */
  private readonly usual = new Map<string, readonly Transaction[]>();

  constructor(private readonly market: RecordedMarket) {}

  /** The reader at a block, with a new recording after many receipts. */
  at(blockHash: Hex): Promise<RecordedReader | null> {
    if (this.blockHash !== blockHash || this.receipts >= MOST_RECEIPTS) {
      [this.blockHash, this.receipts] = [blockHash, 0];
      this.current = this.market.at(blockHash);
      const forget = (): void => void (this.blockHash = '');
      this.current.then((read) => read ?? forget(), forget);
    }
    this.receipts += 1;
    return this.current;
  }

  /** Makes the calls that the reader did not need at this block, because it knows the layout of an earlier one. */
  async complete(part: string, { recording, block }: Omit<RecordedReader, 'reader'>): Promise<void> {
    const missing = (this.usual.get(part) ?? []).filter((call) => recording.resultOf(call) === undefined);
    if (missing.length > 0) await this.market.add(missing, block);
  }

  /** Keeps the calls of a receipt for the next block. */
  keep(part: string, wallet: Address, calls: readonly ReceiptCall[]): void {
    const own = wallet.slice(2).toLowerCase();
    const others = calls.filter(({ data }) => !data.includes(own));
    this.usual.delete(part);
    this.usual.set(
      part,
      others.map(({ to, data }) => ({ to: to as Address, data: data as Hex })),
    );
    const [oldest] = this.usual.keys();
    if (this.usual.size > MOST_PARTS) this.usual.delete(oldest!);
  }
}

/** The readers of the markets whose receipts were requested last. The receipts of a block share what its market stores. */
export class SharedReaders {
  private readonly byMarket = new Map<string, SharedReader>();

  /** @param make called when there is none. Null: no such market is followed */
  of(market: string, make: () => RecordedMarket | null): SharedReader | null {
    let shared = this.byMarket.get(market);
    if (!shared) {
      const recorded = make();
      if (!recorded) return null;
      shared = new SharedReader(recorded);
    }
    // The newest comes last.
    this.byMarket.delete(market);
    this.byMarket.set(market, shared);
    const [oldest] = this.byMarket.keys();
    if (this.byMarket.size > MOST_MARKETS) this.byMarket.delete(oldest!);
    return shared;
  }
}
