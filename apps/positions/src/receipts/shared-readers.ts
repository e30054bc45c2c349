import type { RecordedReader } from '../chains/chain-connection';

/** The recording of a reader grows with every receipt. */
const MOST_RECEIPTS = 50;
const MOST_MARKETS = 16;

interface Shared {
  blockHash: string;
  reader: Promise<RecordedReader | null>;
  receipts: number;
}

/** Recorded readers at the newest block of each market: the receipts of a block share what its market stores. */
export class SharedReaders {
  private readonly byMarket = new Map<string, Shared>();

  /** @param make called when none is shared at this block */
  at(
    market: string,
    blockHash: string,
    make: () => Promise<RecordedReader | null>,
  ): Promise<RecordedReader | null> {
    const known = this.byMarket.get(market);
    if (known?.blockHash === blockHash && known.receipts < MOST_RECEIPTS) {
      known.receipts += 1;
      return known.reader;
    }
    const shared: Shared = { blockHash, reader: make(), receipts: 1 };
    // The newest comes last.
    this.byMarket.delete(market);
    this.byMarket.set(market, shared);
    for (const oldest of this.byMarket.keys()) {
      if (this.byMarket.size <= MOST_MARKETS) break;
      this.byMarket.delete(oldest);
    }
    shared.reader.catch(() => this.byMarket.get(market) === shared && this.byMarket.delete(market));
    return shared.reader;
  }
}
