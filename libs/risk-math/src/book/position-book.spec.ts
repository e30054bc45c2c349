import fc from 'fast-check';
import { randomBits } from '../random/random';
import { ALWAYS_UNAFFECTED, BOOK_ERROR, RANGE_ERROR } from './book-rows';
import { type BookLeg, PositionBook } from './position-book';

const PRICE_SCALE = 10n ** 12n;
const BPS = 10_000n;

/** A leg in whole numbers, as in a contract. */
interface ExactLeg {
  price: number;
  side: BookLeg['side'];
  units: bigint;
  thresholdBps: bigint;
}

const toBook = ({ price, side, units, thresholdBps }: ExactLeg): BookLeg => ({
  price,
  side,
  units: Number(units),
  liquidationThreshold: Number(thresholdBps) / Number(BPS),
});

/** W and D in whole numbers, in the same unit. */
function exactSums(legs: readonly ExactLeg[], prices: readonly bigint[]): { weighted: bigint; debt: bigint } {
  const sum = (side: BookLeg['side']): bigint =>
    legs.reduce(
      (total, leg) =>
        leg.side === side
          ? total + leg.units * prices[leg.price]! * (side === 'debt' ? BPS : leg.thresholdBps)
          : total,
      0n,
    );
  return { weighted: sum('collateral'), debt: sum('debt') };
}

/**
 * Whether W/D is outside of the range with its ends moved outward by the share `by`. In whole numbers, parts
 * of 10¹⁸.
 */
function isOutside(
  { weighted, debt }: { weighted: bigint; debt: bigint },
  { low, high }: { low: number; high: number },
  by: number,
): boolean {
  if (debt === 0n) return false;
  const wad = (value: number): bigint => BigInt(Math.round(value * 1e15)) * 1_000n;
  const scaled = weighted * 10n ** 18n;
  return scaled < wad(low * (1 - by)) * debt || scaled > wad(high * (1 + by)) * debt;
}

const counts = ({ side, units, thresholdBps }: ExactLeg): boolean =>
  units > 0n && (side === 'debt' || thresholdBps > 0n);
const asNumber = (price: bigint): number => Number(price) / Number(PRICE_SCALE);

const ASSETS = 4;
const leg = fc.record({
  price: fc.nat(ASSETS - 1),
  side: fc.constantFrom<BookLeg['side']>('collateral', 'debt'),
  units: fc.bigInt(0n, 10n ** 27n),
  thresholdBps: fc.bigInt(0n, BPS),
});
const position = fc.record({
  legs: fc.array(leg, { maxLength: 6 }),
  low: fc.double({ min: 0.01, max: 2, noNaN: true }),
  width: fc.double({ min: 0, max: 2, noNaN: true }),
});
// From a dust price to a huge one, so that a fall exceeds the limit for the book's error.
const price = fc.bigInt(0n, 10n ** 24n);
const tick = fc.record({ price: fc.nat(ASSETS - 1), value: price });

describe('PositionBook', () => {
  it('finds every position that is outside of its range by exact arithmetic, and no other', () => {
    fc.assert(
      fc.property(
        fc.array(position, { minLength: 1, maxLength: 20 }),
        fc.array(price, { minLength: ASSETS, maxLength: ASSETS }),
        fc.array(tick, { maxLength: 30 }),
        (positions, start, ticks) => {
          const book = new PositionBook();
          const prices = [...start];
          for (const each of prices) book.addPrice(asNumber(each));
          const held = positions.map(({ legs, low, width }) => {
            const range = { low, high: low + width };
            return { legs, range, slot: book.add(legs.map(toBook), range) };
          });
          for (const { price: index, value } of ticks) {
            const isMoved = asNumber(prices[index]!) !== asNumber(value);
            prices[index] = value;
            book.tick(index, asNumber(value));
            const found = new Set(book.takeSuspects());
            for (const { legs, range, slot } of held) {
              const sums = exactSums(legs, prices);
              // Positions that the tick did not change were found before.
              const isTouched = isMoved && legs.some((each) => each.price === index && counts(each));
              if (isTouched && isOutside(sums, range, 3 * BOOK_ERROR)) expect(found).toContain(slot);
              if (!isOutside(sums, range, -2 * RANGE_ERROR)) expect(found).not.toContain(slot);
            }
          }
        },
      ),
      { numRuns: 300, seed: 5 },
    );
  });

  it('has an error within the stated bound after thousands of ticks with large falls', () => {
    const random = randomBits(7);
    const below = (limit: number): number => random() % limit;
    const book = new PositionBook();
    const prices = Array.from({ length: ASSETS }, () => PRICE_SCALE);
    for (const each of prices) book.addPrice(asNumber(each));
    const held = Array.from({ length: 200 }, () => {
      const legs = Array.from({ length: 1 + below(5) }, (_, index): ExactLeg => ({
        price: below(ASSETS),
        side: index === 0 ? 'debt' : 'collateral',
        units: BigInt(1 + below(1e9)) * 10n ** BigInt(below(12)),
        thresholdBps: BigInt(below(10_001)),
      }));
      return { legs, slot: book.add(legs.map(toBook), ALWAYS_UNAFFECTED) };
    });
    for (let ticks = 0; ticks < 5_000; ticks += 1) {
      const index = below(ASSETS);
      prices[index] = 10n ** BigInt(5 + below(15)) + BigInt(below(1e5));
      book.tick(index, asNumber(prices[index]!));
    }
    for (const { legs, slot } of held) {
      const { weighted, debt } = exactSums(legs, prices);
      const exact = Number((weighted * 10n ** 30n) / debt) / 1e30;
      expect(Math.abs(book.healthFactor(slot)! - exact)).toBeLessThanOrEqual(BOOK_ERROR * exact);
    }
  });

  it('a tick updates only the holders of the asset, on both sides together', () => {
    const book = new PositionBook();
    const [ether, dollar] = [book.addPrice(2_000), book.addPrice(1)] as [number, number];
    const range = { low: 1.25, high: 1.5 };
    const borrower = book.add(
      [
        { price: ether, side: 'collateral', units: 1, liquidationThreshold: 0.8 },
        { price: dollar, side: 'debt', units: 1_200 },
      ],
      range,
    );
    const looped = book.add(
      [
        { price: ether, side: 'collateral', units: 1.5, liquidationThreshold: 0.9 },
        { price: ether, side: 'debt', units: 1 },
      ],
      range,
    );
    expect(book.takeSuspects()).toEqual([]);
    book.tick(ether, 1_800);
    expect(book.takeSuspects()).toEqual([borrower]);
    expect([borrower, looped].map((slot) => book.healthFactor(slot))).toEqual([
      expect.closeTo(1.2, 12),
      expect.closeTo(1.35, 12),
    ]);
  });

  it('a position that left its range and returned before the query is not reported; a new range is checked immediately', () => {
    const book = new PositionBook();
    const ether = book.addPrice(2_000);
    const dollar = book.addPrice(1);
    const slot = book.add(
      [
        { price: ether, side: 'collateral', units: 1, liquidationThreshold: 0.75 },
        { price: dollar, side: 'debt', units: 1_000 },
      ],
      { low: 1.4, high: 1.6 },
    );
    book.tick(ether, 1_000);
    book.tick(ether, 2_000);
    expect(book.takeSuspects()).toEqual([]);
    book.setRange(slot, { low: 1.55, high: 1.6 });
    expect(book.takeSuspects()).toEqual([slot]);
  });

  it('a removed position is never found, and its slot is reused once no holder names it', () => {
    const book = new PositionBook();
    const ether = book.addPrice(1);
    const dollar = book.addPrice(1);
    const legs: BookLeg[] = [
      { price: ether, side: 'collateral', units: 2, liquidationThreshold: 0.75 },
      { price: dollar, side: 'debt', units: 1 },
    ];
    const slots = Array.from({ length: 100 }, () => book.add(legs, { low: 1.4, high: 1.6 }));
    const { bytes } = book;
    for (const slot of slots.slice(0, 40)) book.remove(slot);
    expect(book.size).toBe(60);
    book.tick(ether, 0.5);
    expect(new Set(book.takeSuspects())).toEqual(new Set(slots.slice(40)));
    const again = Array.from({ length: 26 }, () => book.add(legs, { low: 0.7, high: 0.8 }));
    expect(book.takeSuspects()).toEqual([]);
    expect(book.bytes).toBe(bytes);
    expect(new Set([...slots.slice(40), ...again]).size).toBe(86);
    expect([...slots.slice(40), ...again].map((slot) => book.healthFactor(slot))).toEqual(
      Array(86).fill(0.75),
    );
  });

  it('a full pass over many blocks of slots, some of them reused, finds the same as the ticks', () => {
    const random = randomBits(3);
    const book = new PositionBook();
    const prices = Array.from({ length: ASSETS }, () => book.addPrice(1));
    const added = (): number => {
      const [supplied, owed] = [random() % ASSETS, random() % ASSETS];
      const units = 1 + (random() % 1_000) / 1_000;
      return book.add(
        [
          { price: supplied, side: 'collateral', units, liquidationThreshold: 0.8 },
          { price: owed, side: 'debt', units: 0.5 },
        ],
        { low: 1.8, high: 3 },
      );
    };
    const first = Array.from({ length: 50_000 }, added);
    const [kept, gone] = [first.filter((slot) => slot % 3 > 0), first.filter((slot) => slot % 3 === 0)];
    for (const slot of gone) book.remove(slot);
    const held = [...kept, ...gone.map(added)];
    for (const price of prices) book.tick(price, 0.9 + (random() % 1_000) / 4_000);
    const [found, figures] = [book.takeSuspects(), held.map((slot) => book.healthFactor(slot)!)];
    expect(found.length).toBeGreaterThan(1_000);
    book.sumUp();
    expect(new Set(book.takeSuspects())).toEqual(new Set(found));
    const drift = held.map((slot, index) => Math.abs(book.healthFactor(slot)! / figures[index]! - 1));
    expect(drift.every((each) => each < BOOK_ERROR)).toBe(true);
  });

  it('rejects invalid amounts, prices, ranges and positions', () => {
    const book = new PositionBook();
    const price = book.addPrice(1);
    const held = (units: number): BookLeg[] => [{ price, side: 'debt', units }];
    const slot = book.add(held(1), ALWAYS_UNAFFECTED);
    book.remove(slot);
    const wrong = [
      () => book.addPrice(NaN),
      () => book.tick(price, -1),
      () => book.tick(price + 1, 1),
      () => book.add(held(Infinity), ALWAYS_UNAFFECTED),
      () => book.add(held(1), { low: 2, high: 1 }),
      () => book.remove(slot),
      () => book.setRange(slot, ALWAYS_UNAFFECTED),
      () => book.healthFactor(99),
    ];
    for (const each of wrong) expect(each).toThrow(RangeError);
    expect(book.size).toBe(0);
  });
});
