import type { MarketRow } from '@plimsoll/evm';
import type { Address, Hex } from 'viem';

type SubIds = ReadonlyMap<Address, readonly string[]>;

/** Rows times blocks. Requests need the newest block, and the one before while it is being processed. */
const MAX_ENTRIES = 64;
const MAX_WALLETS = 5_000;

/**
 * Results of the index that a reader will need. With them, all readers of a chain send their requests at
 * the same time.
 */
export class PreparedSubIds {
  private readonly entries = new Map<string, Map<Address, readonly string[]>>();

  /** Null if one of the wallets was not prepared at the block. */
  find(row: MarketRow, block: Hex, wallets: readonly Address[]): SubIds | null {
    const known = this.entries.get(keyOf(row, block));
    return known && wallets.every((wallet) => known.has(wallet)) ? known : null;
  }

  put(row: MarketRow, block: Hex, wallets: readonly Address[], subIds: SubIds): void {
    const key = keyOf(row, block);
    const known = this.entries.get(key) ?? new Map<Address, readonly string[]>();
    if (known.size + wallets.length > MAX_WALLETS) known.clear();
    for (const wallet of wallets) known.set(wallet, subIds.get(wallet) ?? []);
    this.entries.delete(key);
    this.entries.set(key, known);
    const [oldest] = this.entries.keys();
    if (this.entries.size > MAX_ENTRIES && oldest !== undefined) this.entries.delete(oldest);
  }
}

function keyOf({ protocol, market }: MarketRow, block: Hex): string {
  return `${protocol} ${market} ${block}`;
}
