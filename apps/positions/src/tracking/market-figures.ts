import type { BlockRef } from '@plimsoll/evm';
import { type RawPosition, isReadable } from '@plimsoll/protocols';
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

  /**
   * None if it holds nothing. Positions that are not readable are among them. Null: it is not tracked, or could
   * not be read.
   */
  of(wallet: Address): readonly RawPosition[] | null {
    const known = this.known.get(wallet);
    if (known) return known;
    const held = this.evaluate(wallet);
    if (!held) return null;
    this.known.set(wallet, held);
    return held;
  }

  /** Stores the contract's own figures. */
  set(wallet: Address, held: readonly RawPosition[]): void {
    this.known.set(wallet, held);
  }

  /** The readable positions of all wallets. */
  all(): RawPosition[] {
    return this.wallets.flatMap((wallet) => this.of(wallet)?.filter(isReadable) ?? []);
  }
}
