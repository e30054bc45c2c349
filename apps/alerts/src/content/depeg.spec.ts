import type { ContractFigures, StoredLeg } from './contract-figures';
import { depegOf } from './depeg';

const leg = (
  asset: string,
  side: StoredLeg['side'],
  amount: number,
  over: Partial<StoredLeg> = {},
): StoredLeg => ({
  asset,
  address: `0x${asset.length.toString(16).padStart(40, '0')}`,
  side,
  amountRaw: String(amount * 1e6),
  scaledRaw: String(amount * 1e6),
  decimals: 6,
  priceRaw: '100000000',
  priceDecimals: 8,
  thresholdBps: side === 'collateral' ? 9_000 : 0,
  amount,
  priceUsd: 1,
  ...over,
});
/** Health factor 1.01: the distance to liquidation is 1 − 1/1.01, 0.990 %. */
const pair = (legs = [leg('USDC', 'collateral', 10_100), leg('DAI', 'debt', 9_000)]): ContractFigures => ({
  healthFactorRaw: '1010000000000000000',
  baseDecimals: 8,
  isUsdKnown: true,
  legs,
});
const levelAt = (usdc: number, isOpen = false): string | null =>
  depegOf(pair(), 1.01, { USDC: usdc, DAI: 1 }, isOpen)?.level ?? null;

describe('depegOf', () => {
  it.each([
    [1, null],
    [0.9951, null],
    [0.995, 'high'],
    [0.9902, 'high'],
    [0.99, 'critical'],
    [0.9, 'critical'],
    [1.02, null],
  ])('with the collateral at %d is %s', (usdc, level) => expect(levelAt(usdc)).toBe(level));

  it('stays open down to 40 % of the distance', () => {
    expect(levelAt(0.996, true)).toBe('high');
    expect(levelAt(0.9961, true)).toBeNull();
    expect(levelAt(0.996, false)).toBeNull();
  });

  it('names the asset that left its oracle price, and by how much', () => {
    expect(depegOf(pair(), 1.01, { USDC: 0.985 }, false)?.cause).toEqual({
      kind: 'depeg',
      asset: 'USDC',
      changePercent: expect.closeTo(-1.5, 9),
      fromUsd: 1,
      toUsd: 0.985,
    });
    expect(depegOf(pair(), 1.01, { DAI: 1.02 }, false)).toMatchObject({
      level: 'critical',
      cause: { asset: 'DAI', toUsd: 1.02 },
    });
  });

  it('counts an asset without a market price at its oracle price', () => {
    expect(depegOf(pair(), 1.01, {}, false)).toBeNull();
  });

  it('is about positions whose sides move together, and whose oracle does not show it yet', () => {
    const volatile = pair([leg('WETH', 'collateral', 10_100), leg('DAI', 'debt', 9_000)]);
    expect(depegOf(volatile, 1.01, { ETH: 0.5 }, false)).toBeNull();
    expect(depegOf(pair(), 0.99, { USDC: 0.5 }, false)).toBeNull();
    expect(depegOf(pair(), null, { USDC: 0.5 }, false)).toBeNull();
    expect(depegOf({ ...pair(), isUsdKnown: false }, 1.01, { USDC: 0.5 }, false)).toBeNull();
  });
});
