import { BookRows, DEBT, WEIGHTED, type UnaffectedRange } from './book-rows';
import { Holders } from './holders';

/** A leg of a position in the book. */
export interface BookLeg {
  /** The number of its price from `addPrice`. */
  price: number;
  side: 'collateral' | 'debt';
  /** Number of units: 0 or more. */
  units: number;
  /** Share of its value that secures debt, 0–1. Ignored on the debt side. */
  liquidationThreshold?: number;
}

// The bound for BOOK_ERROR: an addition has an error of at most 3·2⁻⁵³ of the largest sum so far, which is at
// most DEEPEST_FALL times the sum now, and 3·2⁻⁵³·1,024·2,048 is 7e-10.
const TICKS_PER_SUM = 2_048;
const DEEPEST_FALL = 1_024;
/** Empty slots are removed from the holders when they are this share of all slots. */
const EMPTY_SHARE = 0.25;
/** Slots whose sums are computed together. */
const STRETCH = 16_384;

/**
 * Positions in columns, with an index from each price to its holders: a tick of a price adds its change to
 * the sums of its holders only. It finds the positions whose health factor may have left its unaffected
 * range. Their figures are then computed exactly. Doubles, relative error BOOK_ERROR: the sums are recomputed
 * every 2,048 ticks, and when a price is less than a thousandth of its first value, so that errors do not
 * accumulate.
 *
 * A position has a slot, a small whole number. A changed position is removed and added again. Memory: 29
 * bytes a position and 12 a leg, and up to a quarter more for growth.
 */
export class PositionBook {
  private readonly prices: number[] = [];
  /** Highest value of each price since the sums were computed. */
  private readonly highest: number[] = [];
  private readonly collateral: Holders[] = [];
  private readonly debt: Holders[] = [];
  private readonly rows = new BookRows();
  private free: number[] = [];
  /** Emptied slots that holders still contain. */
  private emptied: number[] = [];
  private ticks = 0;

  /** @returns the price's number @throws RangeError unless it is a finite number of 0 or more */
  addPrice(value: number): number {
    assertAmount('price', value);
    this.collateral.push(new Holders());
    this.debt.push(new Holders());
    this.highest.push(value);
    return this.prices.push(value) - 1;
  }

  /**
   * @returns the position's slot
   * @throws RangeError for an unknown price, invalid units or an invalid range
   */
  add(legs: readonly BookLeg[], range: UnaffectedRange): number {
    for (const { price, units, liquidationThreshold = 0 } of legs) {
      this.priceAt(price);
      assertAmount('units', units);
      assertAmount('liquidationThreshold', liquidationThreshold);
    }
    assertRange(range);
    const slot = this.free.pop() ?? this.rows.append();
    for (const { price, side, units, liquidationThreshold = 0 } of legs) {
      const isDebt = side === 'debt';
      const counted = isDebt ? units : units * liquidationThreshold;
      if (counted === 0) continue;
      (isDebt ? this.debt : this.collateral)[price]!.push(slot, counted);
      this.rows.addTo(slot, isDebt ? DEBT : WEIGHTED, counted * this.priceAt(price));
    }
    this.rows.setRange(slot, range);
    return slot;
  }

  /** Removes a position. Another position may receive its slot. @throws RangeError for an empty slot */
  remove(slot: number): void {
    this.assertHeld(slot);
    this.rows.empty(slot);
    this.emptied.push(slot);
    if (this.emptied.length > EMPTY_SHARE * this.rows.used) this.sweep();
  }

  /** Replaces the range of a position. @throws RangeError for an empty slot or an invalid range */
  setRange(slot: number, range: UnaffectedRange): void {
    this.assertHeld(slot);
    assertRange(range);
    this.rows.setRange(slot, range);
  }

  /** Changes a price. @throws RangeError for an unknown price or an invalid value */
  tick(price: number, value: number): void {
    const change = value - this.priceAt(price);
    assertAmount('price', value);
    if (change === 0) return;
    this.prices[price] = value;
    this.highest[price] = Math.max(this.highest[price]!, value);
    this.ticks += 1;
    if (this.ticks > TICKS_PER_SUM || value * DEEPEST_FALL < this.highest[price]!) return this.sumUp();
    // A position with the asset on both sides may seem outside after the first side, so takeSuspects checks
    // again.
    this.rows.moveHoldings(this.collateral[price]!, WEIGHTED, change);
    this.rows.moveHoldings(this.debt[price]!, DEBT, change);
  }

  /** Recomputes all sums from the holdings and checks every position: a full pass. */
  sumUp(): void {
    const { rows } = this;
    const lists = this.prices.flatMap((value, price) => [
      { holders: this.collateral[price]!, sum: WEIGHTED, value, read: 0 },
      { holders: this.debt[price]!, sum: DEBT, value, read: 0 },
    ]);
    rows.clearSums();
    // Holders are mostly in the order of their slots, so the sums of a block are computed while they are in
    // the cache.
    for (let from = 0; from < rows.used; from += STRETCH) {
      const below = Math.min(from + STRETCH, rows.used);
      for (const list of lists)
        list.read = rows.addHoldings(list.holders, list.sum, list.value, list.read, below);
    }
    this.prices.forEach((value, price) => (this.highest[price] = value));
    this.ticks = 0;
    rows.check(0, rows.used);
  }

  /** Slots that were found outside of their unaffected range since the last call and still are, each once. */
  takeSuspects(): number[] {
    return this.rows.takeSuspects();
  }

  /** The current price. @throws RangeError for a price that does not exist */
  priceAt(price: number): number {
    const value = this.prices[price];
    if (value === undefined) throw new RangeError(`There is no price ${price}.`);
    return value;
  }

  /** The book's health factor. Null without debt. @throws RangeError for an empty slot */
  healthFactor(slot: number): number | null {
    this.assertHeld(slot);
    const debt = this.rows.sumOf(slot, DEBT);
    return debt === 0 ? null : this.rows.sumOf(slot, WEIGHTED) / debt;
  }

  /**
   * Whether it is outside of its unaffected range by the book, found or not. @throws RangeError for an empty
   * slot
   */
  isOutside(slot: number): boolean {
    this.assertHeld(slot);
    return this.rows.isOutside(slot);
  }

  /** Number of its positions. */
  get size(): number {
    return this.rows.used - this.free.length - this.emptied.length;
  }

  /** Bytes of its columns, including the reserve for growth. */
  get bytes(): number {
    return [...this.collateral, ...this.debt].reduce((sum, { bytes }) => sum + bytes, this.rows.bytes);
  }

  /** An emptied slot may be reused only now, because none of its old legs remain. */
  private sweep(): void {
    const isHeld = (slot: number): boolean => this.rows.isHeld(slot);
    for (const holders of [...this.collateral, ...this.debt]) holders.sweep(isHeld);
    // A tick after the removal has added to their sums.
    for (const slot of this.emptied) this.rows.empty(slot);
    this.free = this.free.concat(this.emptied);
    this.emptied = [];
  }

  private assertHeld(slot: number): void {
    if (!this.rows.isHeld(slot)) throw new RangeError(`There is no position ${slot}.`);
  }
}

function assertRange({ low, high }: UnaffectedRange): void {
  if (!(low >= 0 && low <= high)) throw new RangeError(`A range from ${low} to ${high} is none.`);
}

function assertAmount(name: string, value: number): void {
  if (!(value >= 0 && value < Infinity))
    throw new RangeError(`${name} ${value} is no amount. Give a finite number of 0 or more.`);
}
