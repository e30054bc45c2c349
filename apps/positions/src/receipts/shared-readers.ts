import type { ChainRecording, Transaction } from '@plimsoll/evm';
import type { ReceiptCall } from '@plimsoll/receipts';
import type { Address, Hex } from 'viem';
import type { RecordedMarket, RecordedReader } from '../chains/chain-connection';

/** The recording of a reader grows with every receipt. */
const MOST_RECEIPTS = 50;
const MOST_MARKETS = 16;
/** Parts of a market whose calls are known. */
const MOST_PARTS = 64;
/** Calls of a part. A market of a hundred assets has about five hundred. */
const MOST_CALLS = 2_000;

/** Calls of a part of a market that are not about a wallet. */
interface UsualCalls {
  readonly byKey: Map<string, Transaction>;
  /** The recordings that have all of them, or get them now. */
  complete: WeakMap<ChainRecording, Promise<void>>;
}

/** The newest block of a market for receipts. */
export class SharedReader {
  private blockHash = '';
  private receipts = 0;
  private current: Promise<RecordedReader | null> = Promise.resolve(null);
  /** The calls of all receipts, by part of the market (the sub-id): positions with other assets need other calls. */
  private readonly usual = new Map<string, UsualCalls>();

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
    const usual = this.usual.get(part);
    if (!usual) return;
    const { complete, byKey } = usual;
    const known = complete.get(recording);
    if (known) return known;
    const missing = [...byKey.values()].filter((call) => recording.resultOf(call) === undefined);
    const made = missing.length > 0 ? this.market.add(missing, block) : Promise.resolve();
    complete.set(recording, made);
    made.catch(() => complete.delete(recording));
    return made;
  }

  /** Keeps the calls of a receipt for the next ones. */
  keep(part: string, wallet: Address, calls: readonly ReceiptCall[]): void {
    const own = wallet.slice(2).toLowerCase();
    const usual: UsualCalls = this.usual.get(part) ?? { byKey: new Map(), complete: new WeakMap() };
    this.usual.delete(part);
    this.usual.set(part, usual);
    const [oldest] = this.usual.keys();
    if (this.usual.size > MOST_PARTS) this.usual.delete(oldest!);
    for (const { to, data } of calls) {
      const key = `${to} ${data}`;
      if (data.includes(own) || usual.byKey.has(key)) continue;
      if (usual.byKey.size >= MOST_CALLS) usual.byKey.clear();
      usual.byKey.set(key, { to: to as Address, data: data as Hex });
      usual.complete = new WeakMap();
    }
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
