import type { BlockRef } from '@plimsoll/evm';
import type { RawPosition } from '@plimsoll/protocols';
import type { Address } from 'viem';

/**
 * The holdings of the tracked wallets in one market at one block. A wallet is evaluated once, at its first
 * use: most blocks need few.
 */
export class MarketFigures {
  private readonly known = new Map<Address, readonly RawPosition[]>();

  /**
   * @param wallets the tracked ones
   * @param evaluate returns the positions of a wallet, none if it holds nothing, null if it could not be read
   */
  constructor(
    readonly block: BlockRef,
    readonly market: unknown,
    private readonly wallets: readonly Address[],
    private readonly evaluate: (wallet: Address) => readonly RawPosition[] | null,
  ) {}

  /** None if it holds nothing. Null: it is not tracked, or could not be read. */
  of(wallet: Address): readonly RawPosition[] | null {
    const known = this.known.get(wallet);
    if (known) return known;
    const held = this.evaluate(wallet);
    if (!held?.every(isPriced)) return null;
    this.known.set(wallet, held);
    return held;
  }

  /** Stores the contract's own figures. */
  set(wallet: Address, held: readonly RawPosition[]): void {
    this.known.set(wallet, held);
  }

  /** The positions of all wallets that could be read. */
  all(): RawPosition[] {
    return this.wallets.flatMap((wallet) => this.of(wallet) ?? []);
  }
}

/** A position without a dollar price cannot be shown: its wallet counts as one that could not be read. */
export function isPriced({ usdPerBaseRaw }: RawPosition): boolean {
  return usdPerBaseRaw !== null;
}
