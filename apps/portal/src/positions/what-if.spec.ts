import { isSame, modelOf } from './what-if';

const held = (
  asset: string,
  amountRaw: bigint,
  decimals: number,
  priceUsd: number,
  thresholdBps?: number,
) => ({
  asset,
  amount: Number(amountRaw) / 10 ** decimals,
  usdValue: (Number(amountRaw) / 10 ** decimals) * priceUsd,
  address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  amountRaw,
  decimals,
  priceRaw: BigInt(Math.round(priceUsd * 1e8)),
  priceDecimals: 8,
  oracle: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  ...(thresholdBps !== undefined && { liquidationThresholdBps: thresholdBps, usedAsCollateral: true }),
});

const position = {
  collateralAssets: [held('WETH', 10n ** 18n, 18, 2_000, 8_250)],
  debtAssets: [held('USDC', 1_000_000_000n, 6, 1)],
  healthFactor: 1.65,
  healthFactorRaw: 1_650_000_000_000_000_000n,
};

describe('a position at other prices', () => {
  it('has the health factor that the contract would have, and what its owner loses', () => {
    expect(modelOf(position)({ ETH: -20 })).toEqual({
      healthFactor: 1.32,
      collateralUsd: 1_600,
      debtUsd: 1_000,
      changeUsd: -400,
    });
  });

  it('keeps the scale of a contract whose arithmetic is not known', () => {
    const other = { ...position, healthFactor: 1.6, healthFactorRaw: 1_600_000_000_000_000_000n };
    expect(modelOf(other)({ ETH: -20 }).healthFactor).toBeCloseTo(1.28, 12);
  });

  it('is as it was without a change, also without debt', () => {
    expect(modelOf(position)({}).healthFactor).toBe(1.65);
    const free = { ...position, debtAssets: [], healthFactor: null, healthFactorRaw: null };
    expect(modelOf(free)({ ETH: -20 }).healthFactor).toBeNull();
  });
});

describe('two health factors', () => {
  it.each([
    [1.5, 1.5 * (1 + 0.9e-9), true],
    [1.5, 1.5 * (1 + 1.1e-9), false],
    [null, null, true],
    [null, 1.5, false],
    [0, 0, true],
  ])('%p and %p: the same is %p', (a, b, same) => {
    expect(isSame(a, b)).toBe(same);
  });
});
