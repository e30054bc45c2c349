import type { Ratio, Ratios, RawPosition } from '@plimsoll/protocols';
import { BOOK_ERROR, PositionBook } from '@plimsoll/risk-math';
import type { Address } from 'viem';
import { BAND_TURNS } from '../bands/band';
import { EVENT_PER_TEN_THOUSAND } from './detect-change';
import type { PublishedPosition } from './published-position';

/**
 * A unit value that changed by less than this share since the book's last value is not updated, because
 * interest changes all of them in every block.
 */
const TICK = 2e-7;
/** Ranges that would lose more of their width are not used: an event leaves at most a basis point. */
const MOST_ERROR = 4e-5;
/** The limit of `Ratio.slack`: a larger fall of a unit value evaluates all wallets. */
const DEEPEST_FALL = 16;

/** A position at its last event, and now. */
export interface UnaffectedPosition {
  published: PublishedPosition | null;
  position: RawPosition;
}

/**
 * The wallets of one market whose positions need no event as long as the unit values of their holdings do
 * not change, in a book that finds the wallets for which that may have changed. It may return a wallet
 * that needs no event, and never omits one that does: each range is narrowed by all errors of book, unit
 * values and rounding.
 */
export class UnaffectedPositions {
  private book = new PositionBook();
  private shape: string | null = null;
  /** The number in the book of each unit value, by name, and its maximum since all positions were evaluated. */
  private readonly unitValues = new Map<string, { price: number; highest: number }>();
  private readonly slots = new Map<Address, readonly number[]>();
  private readonly holders: (Address | undefined)[] = [];

  constructor(private readonly ratios: Ratios<unknown, unknown>) {}

  /**
   * Sets the unit values of a market. @returns the wallets to evaluate; 'all' when the known ranges are no
   * longer valid
   */
  move(market: unknown): readonly Address[] | 'all' {
    const shape = this.ratios.shapeOf(market);
    const isVoid = shape !== this.shape;
    this.shape = shape;
    const isDeep = [...this.ratios.unitValuesOf(market)].reduce(
      (found, [name, unitValue]) => this.moveUnitValue(name, unitValue) || found,
      false,
    );
    if (isVoid || isDeep) {
      this.clear();
      return 'all';
    }
    const wallets = this.book.takeSuspects().map((slot) => this.holders[slot]!);
    return [...new Set(wallets)];
  }

  /**
   * Watches a wallet that needs no event now. Its data remains until it is forgotten.
   * @returns whether it need not be evaluated again before `move` names it
   */
  settle(wallet: Address, market: unknown, account: unknown, held: readonly UnaffectedPosition[]): boolean {
    const slots = this.slots.get(wallet) ?? this.add(wallet, market, account, held);
    return slots?.every((slot) => !this.book.isOutside(slot)) ?? false;
  }

  /** Its account or its published state changed. */
  forget(wallet: Address): void {
    for (const slot of this.slots.get(wallet) ?? []) this.remove(slot);
    this.slots.delete(wallet);
  }

  private add(
    wallet: Address,
    market: unknown,
    account: unknown,
    held: readonly UnaffectedPosition[],
  ): readonly number[] | null {
    const slots: number[] = [];
    for (const { published, position } of held) {
      if (!this.addPosition(slots, market, account, published, position)) {
        for (const slot of slots) this.remove(slot);
        return null;
      }
    }
    for (const slot of slots) this.holders[slot] = wallet;
    if (slots.length > 0) this.slots.set(wallet, slots);
    return slots;
  }

  /** @returns false for a position that the book does not support */
  private addPosition(
    slots: number[],
    market: unknown,
    account: unknown,
    published: PublishedPosition | null,
    position: RawPosition,
  ): boolean {
    const { healthFactorRaw: raw, legs } = position;
    // A debt that the protocol rounds to zero may grow.
    if (raw === null) return legs.every(({ side }) => side !== 'debt');
    const publishedRaw = published?.event.healthFactorRaw;
    if (publishedRaw === null || publishedRaw === undefined) return false;
    const ratios = this.ratios.ratiosOf(market, account, position);
    return (
      ratios?.every((ratio) => {
        const error = ratio.slack + 2 * TICK + BOOK_ERROR;
        const { low, high } = ratio.within ?? unaffectedRange(BigInt(publishedRaw));
        const range = { low: low * (1 + error), high: high * (1 - error) };
        if (!(error <= MOST_ERROR && range.low <= range.high)) return false;
        const slot = this.addRatio(ratio, range);
        if (slot === null) return false;
        slots.push(slot);
        // A ratio that differs from the evaluated health factor is not usable.
        const exact = Number(raw) / 1e18;
        const inBook = this.book.healthFactor(slot) ?? Infinity;
        return ratio.within !== null || Math.abs(inBook - exact) <= error * exact;
      }) ?? false
    );
  }

  private addRatio({ legs }: Ratio, range: { low: number; high: number }): number | null {
    const inBook = legs.map(({ unitValue, side, units, weight }) => {
      const price = this.unitValues.get(unitValue)?.price;
      return price === undefined ? null : { price, side, units, liquidationThreshold: weight };
    });
    return inBook.some((leg) => leg === null)
      ? null
      : this.book.add(
          inBook.filter((leg) => leg !== null),
          range,
        );
  }

  /** @returns whether it fell deeper than the slack of a ratio allows for */
  private moveUnitValue(name: string, unitValue: number): boolean {
    const known = this.unitValues.get(name);
    if (!known) {
      this.unitValues.set(name, { price: this.book.addPrice(unitValue), highest: unitValue });
      return false;
    }
    known.highest = Math.max(known.highest, unitValue);
    const inBook = this.book.priceAt(known.price);
    if (Math.abs(unitValue - inBook) > TICK * inBook) this.book.tick(known.price, unitValue);
    return unitValue * DEEPEST_FALL < known.highest;
  }

  private remove(slot: number): void {
    this.book.remove(slot);
    this.holders[slot] = undefined;
  }

  private clear(): void {
    const before = this.book;
    this.book = new PositionBook();
    for (const unitValue of this.unitValues.values()) {
      unitValue.highest = before.priceAt(unitValue.price);
      unitValue.price = this.book.addPrice(unitValue.highest);
    }
    this.slots.clear();
    this.holders.length = 0;
  }
}

const WAD = 1e18;

/**
 * Health factors between which a position that was last published at this one (wad) causes no event, if no
 * probability determines its band: less than a basis point away, and on the same side of every edge of a
 * band.
 */
export function unaffectedRange(publishedRaw: bigint): { low: number; high: number } {
  const published = Number(publishedRaw) / WAD;
  const step = (published * Number(EVENT_PER_TEN_THOUSAND)) / 10_000;
  let [low, high] = [published - step, published + step];
  for (const turn of BAND_TURNS) {
    const at = Number(turn) / WAD;
    // Exactly on an edge, both sides may be another band.
    if (turn <= publishedRaw) low = Math.max(low, at);
    if (turn >= publishedRaw) high = Math.min(high, at);
  }
  return { low, high };
}
