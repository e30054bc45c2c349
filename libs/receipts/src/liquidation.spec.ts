import fc from 'fast-check';
import { liquidationPrices } from './liquidation';
import type { ReceiptFigures } from './receipt';

const ASSETS = ['0xa', '0xb', '0xc'];
const WAD = 10n ** 18n;
type Side = 'collateral' | 'debt';

/** A position whose prices have 8 decimals. */
function figuresOf(
  legs: readonly {
    asset: string;
    side: Side;
    amount: bigint;
    decimals: number;
    price: bigint;
    bps: bigint;
  }[],
  healthFactor: bigint | null,
): ReceiptFigures {
  return {
    inputs: legs.map(({ asset, side, amount, decimals, bps }) => ({
      asset,
      side,
      amount: String(amount),
      decimals,
      liquidationThresholdBps: String(bps),
      usedAsCollateral: side === 'collateral',
    })),
    prices: legs.map(({ asset, price }) => ({
      asset,
      symbol: asset,
      oracle: asset,
      price: String(price),
      decimals: 8,
    })),
    outputs: { totalCollateral: '0', totalDebt: '0', healthFactor: healthFactor?.toString() ?? null },
  };
}

const eth = {
  asset: '0xa',
  side: 'collateral',
  amount: 2n * WAD,
  decimals: 18,
  price: 3_000_00000000n,
  bps: 8_000n,
} as const;
const usd = {
  asset: '0xb',
  side: 'debt',
  amount: 4_000_000_000n,
  decimals: 6,
  price: 1_00000000n,
  bps: 0n,
} as const;

describe('liquidationPrices', () => {
  it('fall for collateral and rise for debt, by the health factor', () => {
    expect(liquidationPrices(figuresOf([eth, usd], (WAD * 12n) / 10n))).toEqual([
      { asset: '0xa', price: '250000000000' },
      { asset: '0xb', price: '120000000' },
    ]);
  });

  it.each<[string, ReceiptFigures]>([
    ['without debt', figuresOf([eth], null)],
    ['without collateral', figuresOf([usd], 0n)],
    ['with an amount of too many decimals', figuresOf([{ ...eth, decimals: 65 }, usd], WAD)],
    ['with a price too few', { ...figuresOf([eth, usd], WAD), prices: figuresOf([eth], WAD).prices }],
  ])('are null %s', (_, figures) => {
    expect(liquidationPrices(figures).every(({ price }) => price === null)).toBe(true);
  });

  it('are null for an asset whose fall does not liquidate', () => {
    const enough = { ...eth, amount: 100n * WAD };
    const little = { ...eth, asset: '0xc', amount: WAD };
    const [, other] = liquidationPrices(figuresOf([enough, little, usd], 60n * WAD));
    expect(other).toEqual({ asset: '0xc', price: null });
  });

  it('are where the health factor passes 1, and null where no price of the asset does that', () => {
    const leg = fc.record({
      asset: fc.constantFrom(...ASSETS),
      side: fc.constantFrom<Side>('collateral', 'debt'),
      amount: fc.bigInt({ min: 1n, max: 10n ** 12n }),
      bps: fc.bigInt({ min: 0n, max: 9_500n }),
    });
    const prices = fc.array(fc.bigInt({ min: 1n, max: 10n ** 12n }), { minLength: 3, maxLength: 3 });
    const healthFactor = fc.bigInt({ min: 1n, max: 10n ** 20n });
    fc.assert(
      fc.property(fc.array(leg, { maxLength: 6 }), prices, healthFactor, (drawn, drawnPrices, factor) => {
        const legs = drawn.map((each) => {
          return { ...each, decimals: 6, price: drawnPrices[ASSETS.indexOf(each.asset)]! };
        });
        /** The sign of the weighted collateral less the debt, with one price moved and thresholds that give the factor. */
        const marginAt = (asset: string, price: bigint): bigint => {
          const sum = (side: Side, isMoved: boolean): bigint =>
            legs
              .filter((each) => each.side === side)
              .map((each) => {
                const at = isMoved && each.asset === asset ? price : each.price;
                return each.amount * at * (side === 'debt' ? 1n : each.bps);
              })
              .reduce((total, value) => total + value, 0n);
          return (
            factor * sum('debt', false) * sum('collateral', true) -
            WAD * sum('collateral', false) * sum('debt', true)
          );
        };
        for (const { asset, price } of liquidationPrices(figuresOf(legs, factor))) {
          const [from, to] = price === null ? [1n, 2n ** 256n] : [BigInt(price), BigInt(price) + 1n];
          const product = marginAt(asset, from) * marginAt(asset, to);
          if (price === null) expect(product).toBeGreaterThanOrEqual(0n);
          else expect(product).toBeLessThanOrEqual(0n);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
