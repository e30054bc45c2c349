import type { Holders } from './holders';

const FIRST_SLOTS = 64;
const GROWTH = 1.25;

/**
 * Relative error of a health factor of the book, for any price moves. Each of its two sums has half of it.
 */
export const BOOK_ERROR = 2e-9;

/** Health factors between which a position needs no attention, both ends included. */
export interface UnaffectedRange {
  /** 0 or more. */
  low: number;
  high: number;
}

/** Relative error with which the book stores the ends of a range, always inward. */
export const RANGE_ERROR = 2e-7;

/** The range of a position without debt, which never needs attention. */
export const ALWAYS_UNAFFECTED: UnaffectedRange = { low: 0, high: Infinity };

/** The sums of a position: W, the collateral weighted by its thresholds, or D, the debt. */
export type Sum = 0 | 1;
export const WEIGHTED: Sum = 0;
export const DEBT: Sum = 1;

/**
 * The sums and ranges of positions by slot, and which of them were found outside of their range. A slot has
 * 29 bytes.
 */
export class BookRows {
  used = 0;
  /** W and D of each slot. */
  private sums = new Float64Array(2 * FIRST_SLOTS);
  /**
   * Low and high of each slot. NaN for an empty one. It is half as wide as the sums, because memory access
   * limits a tick.
   */
  private ranges = new Float32Array(2 * FIRST_SLOTS);
  private isSuspect = new Uint8Array(FIRST_SLOTS);
  private suspects = new Uint32Array(FIRST_SLOTS);
  private suspectCount = 0;

  /** Adds an empty slot at the end. */
  append(): number {
    if (this.used === this.suspects.length) this.grow();
    this.empty(this.used);
    this.used += 1;
    return this.used - 1;
  }

  empty(slot: number): void {
    this.sums.fill(0, 2 * slot, 2 * slot + 2);
    this.ranges.fill(NaN, 2 * slot, 2 * slot + 2);
  }

  isHeld(slot: number): boolean {
    return slot < this.used && !Number.isNaN(this.ranges[2 * slot]!);
  }

  sumOf(slot: number, sum: Sum): number {
    return this.sums[2 * slot + sum]!;
  }

  addTo(slot: number, sum: Sum, value: number): void {
    this.sums[2 * slot + sum]! += value;
  }

  /** Narrows the range by the error of the book. */
  setRange(slot: number, { low, high }: UnaffectedRange): void {
    // Rounding to a narrow number causes an error of 6e-8.
    this.ranges[2 * slot] = low * (1 + RANGE_ERROR / 2);
    this.ranges[2 * slot + 1] = high * (1 - RANGE_ERROR / 2);
    this.check(slot, slot + 1);
  }

  isOutside(slot: number): boolean {
    return isOutside(this.sums, this.ranges, slot);
  }

  clearSums(): void {
    this.sums.fill(0, 0, 2 * this.used);
  }

  /**
   * Adds the value of holders at a price to one of their sums, from one holder on, up to a slot.
   * @returns the holder where it stopped
   */
  addHoldings(
    { slots, units, count }: Holders,
    sum: Sum,
    price: number,
    from: number,
    below: number,
  ): number {
    const { sums } = this;
    let i = from;
    for (; i < count; i += 1) {
      const slot = slots[i]!;
      if (slot >= below) break;
      sums[2 * slot + sum]! += units[i]! * price;
    }
    return i;
  }

  /** Adds the change of a price for all of its holders, and checks each of them. */
  moveHoldings({ slots, units, count }: Holders, sum: Sum, change: number): void {
    const { sums, ranges } = this;
    for (let i = 0; i < count; i += 1) {
      const slot = slots[i]!;
      sums[2 * slot + sum]! += units[i]! * change;
      if (isOutside(sums, ranges, slot)) this.suspect(slot);
    }
  }

  check(from: number, below: number): void {
    const { sums, ranges } = this;
    for (let slot = from; slot < below; slot += 1) if (isOutside(sums, ranges, slot)) this.suspect(slot);
  }

  /** Slots that were found outside since the last call and still are, each once. */
  takeSuspects(): number[] {
    const outside: number[] = [];
    for (const slot of this.suspects.subarray(0, this.suspectCount)) {
      this.isSuspect[slot] = 0;
      if (isOutside(this.sums, this.ranges, slot)) outside.push(slot);
    }
    this.suspectCount = 0;
    return outside;
  }

  get bytes(): number {
    const columns = [this.sums, this.ranges, this.isSuspect, this.suspects];
    return columns.reduce((total, { byteLength }) => total + byteLength, 0);
  }

  private suspect(slot: number): void {
    if (this.isSuspect[slot] === 1) return;
    this.isSuspect[slot] = 1;
    this.suspects[this.suspectCount] = slot;
    this.suspectCount += 1;
  }

  private grow(): void {
    const slots = Math.ceil(this.used * GROWTH);
    const { sums, ranges, isSuspect, suspects } = this;
    this.sums = new Float64Array(2 * slots);
    this.ranges = new Float32Array(2 * slots);
    this.isSuspect = new Uint8Array(slots);
    this.suspects = new Uint32Array(slots);
    this.sums.set(sums);
    this.ranges.set(ranges);
    this.isSuspect.set(isSuspect);
    this.suspects.set(suspects);
  }
}

/** Compares without a division. No comparison is true for an empty slot, nor for one without debt. */
function isOutside(sums: Float64Array, ranges: Float32Array, slot: number): boolean {
  const weighted = sums[2 * slot]!;
  const debt = sums[2 * slot + 1]!;
  return weighted < ranges[2 * slot]! * debt || (weighted > ranges[2 * slot + 1]! * debt && debt > 0);
}
