import type { RawLeg, RawPosition } from '@plimsoll/protocols';
import { correlatedProbability } from './correlated-probability';

const WAD = 10n ** 18n;

const leg = (symbol: string, side: RawLeg['side'], amount: number): RawLeg => ({
  symbol,
  address: `0x${'22'.repeat(20)}`,
  side,
  amountRaw: BigInt(Math.round(amount * 1e6)) * 10n ** 12n,
  scaledRaw: 1n,
  decimals: 18,
  priceRaw: 1_00000000n,
  priceDecimals: 8,
  oracle: `0x${'33'.repeat(20)}`,
  liquidationThresholdBps: side === 'collateral' ? 9_500n : 0n,
  usedAsCollateral: side === 'collateral',
});

function position(healthFactor: number, collateral: string[], debt: string[]): RawPosition {
  const owed = collateral.length * 0.95;
  return {
    protocol: 'aave-v3',
    chainId: 1,
    market: 'Market',
    subId: '',
    wallet: `0x${'11'.repeat(20)}`,
    legs: [
      ...collateral.map((symbol) => leg(symbol, 'collateral', 1)),
      ...debt.map((symbol) => leg(symbol, 'debt', owed / healthFactor / debt.length)),
    ],
    totalCollateralRaw: 1n,
    totalDebtRaw: 1n,
    priceDecimals: 8,
    usdPerBaseRaw: WAD,
    flags: [],
    healthFactorRaw: (BigInt(Math.round(healthFactor * 1e6)) * WAD) / 1_000_000n,
    blockNumber: 1n,
    blockHash: `0x${'ab'.repeat(32)}`,
    blockTimestamp: 1n,
    verification: 'recomputed',
  };
}

/** Staked ETH follows ETH closely. USDC moves by a tenth of a percent a day. */
const daily = [
  [0.0016, 0.00159, 0],
  [0.00159, 0.0016, 0],
  [0, 0, 1e-6],
];
const figures = { assets: ['ETH', 'WSTETH', 'USDC'], today: daily, longRun: daily, persistence: 0.98 };

describe('correlatedProbability', () => {
  it('depends only on the ratio: near certain at the edge, almost zero a few percent away', () => {
    const at = (healthFactor: number) =>
      correlatedProbability(position(healthFactor, ['wstETH'], ['WETH']), figures)!;
    expect(at(1.001)).toBeGreaterThan(0.8);
    expect(at(1.05)).toBeLessThan(0.02);
    expect(at(1.1)).toBeLessThan(1e-6);
    expect(at(0.99)).toBe(1);
  });

  it('0 for an asset against itself, under either name', () => {
    expect(correlatedProbability(position(1.01, ['ETH'], ['WETH']), figures)).toBe(0);
  });

  it('has a result for several assets of a family', () => {
    const several = correlatedProbability(position(1.02, ['wstETH', 'WETH'], ['WETH']), figures)!;
    expect(several).toBeGreaterThan(0);
    expect(several).toBeLessThan(0.5);
  });

  it('null if the sides move independently, or a covariance is missing', () => {
    expect(correlatedProbability(position(1.05, ['WETH'], ['USDC']), figures)).toBeNull();
    expect(correlatedProbability(position(1.05, ['rETH'], ['WETH']), figures)).toBeNull();
  });
});
