const FIRST_CAPACITY = 8;
const GROWTH = 1.25;

/**
 * The holders of an asset on one side, with their amounts: two columns that grow. A leg takes 12 bytes, plus
 * at most a quarter for growth.
 */
export class Holders {
  slots = new Uint32Array(FIRST_CAPACITY);
  /** Collateral: units times liquidation threshold. */
  units = new Float64Array(FIRST_CAPACITY);
  count = 0;

  push(slot: number, units: number): void {
    if (this.count === this.slots.length) this.resize(Math.ceil(this.count * GROWTH));
    this.slots[this.count] = slot;
    this.units[this.count] = units;
    this.count += 1;
  }

  /** Keeps the entries of the slots for which `isKept` is true, in their order. */
  sweep(isKept: (slot: number) => boolean): void {
    let kept = 0;
    for (let i = 0; i < this.count; i += 1) {
      const slot = this.slots[i]!;
      if (!isKept(slot)) continue;
      this.slots[kept] = slot;
      this.units[kept] = this.units[i]!;
      kept += 1;
    }
    this.count = kept;
  }

  get bytes(): number {
    return this.slots.byteLength + this.units.byteLength;
  }

  private resize(capacity: number): void {
    const { slots, units } = this;
    this.slots = new Uint32Array(capacity);
    this.units = new Float64Array(capacity);
    this.slots.set(slots);
    this.units.set(units);
  }
}
