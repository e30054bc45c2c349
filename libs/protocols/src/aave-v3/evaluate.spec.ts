import type { Address } from 'viem';
import { RAY } from '../fixed-point/math';
import type { AaveV3Account } from './accounts';
import { evaluateAccount } from './evaluate';
import type { AaveV3EMode, AaveV3Market, AaveV3Reserve } from './market';

const address = (digit: number): Address => `0x${String(digit).repeat(40)}`;
const row = { protocol: 'aave-v3', family: 'aave-v3', chainId: 1, market: 'Test', contracts: {} };

const reserve = (id: number, changes: Partial<AaveV3Reserve['parameters']> = {}): AaveV3Reserve => ({
  id,
  symbol: `T${id}`,
  address: address(id),
  parameters: {
    ltvBps: 7_500n,
    liquidationThresholdBps: 8_000n,
    liquidationBonusBps: 10_500n,
    decimals: 6,
    isActive: true,
    isFrozen: false,
    isPaused: false,
    eModeCategory: 0,
    ...changes,
  },
  unit: 10n ** 6n,
  supplyCap: null,
  borrowCap: null,
  aToken: address(id),
  variableDebtToken: address(id),
  stableDebtToken: null,
  hasStableDebt: false,
  price: 1_00000000n,
  priceSource: address(id),
  normalizedIncome: RAY,
  normalizedDebt: RAY,
  liquidityRate: RAY / 50n,
  variableBorrowRate: RAY / 20n,
});

const marketOf = (
  reserves: AaveV3Reserve[],
  eModes: [number, AaveV3EMode][] = [],
  revision = 1n,
): AaveV3Market => ({
  layout: {
    addressesProvider: address(9),
    pool: address(9),
    oracle: address(9),
    revision,
    priceDecimals: 8,
    assets: [],
    hasEModeBitmaps: false,
    eModes: [],
  },
  block: { number: 5n, hash: '0x55', timestamp: 1_000n },
  reserves,
  eModes: new Map(eModes),
  usdPerBaseRaw: 10n ** 18n,
});

const eMode = (changes: Partial<AaveV3EMode> = {}): AaveV3EMode => ({
  label: 'Category',
  ltvBps: 9_300n,
  liquidationThresholdBps: 9_500n,
  liquidationBonusBps: 10_100n,
  collateralBitmap: null,
  borrowableBitmap: null,
  ltvZeroBitmap: null,
  price: null,
  ...changes,
});

/** Supplies 100 of reserve 1 as collateral and owes 50 of reserve 2. */
const account = (eModeCategory = 0): AaveV3Account => {
  const stableDebt = { principal: 0n, rate: 0n, since: 0n };
  return {
    wallet: address(7),
    userConfiguration: (1n << 3n) | (1n << 4n),
    eModeCategory,
    balances: new Map([
      [1, { scaledSupply: 100_000_000n, scaledVariableDebt: 0n, stableDebt }],
      [2, { scaledSupply: 0n, scaledVariableDebt: 50_000_000n, stableDebt }],
    ]),
  };
};
const healthFactor = (market: AaveV3Market, category = 0): number =>
  Number(evaluateAccount(row, market, account(category))?.[0]?.healthFactorRaw) / 1e18;

describe('evaluateAccount', () => {
  it('none for an account without holdings', () => {
    const empty = { ...account(), balances: new Map() };
    expect(evaluateAccount(row, marketOf([reserve(1)]), empty)).toEqual([]);
  });

  it("a leg for each side, with the contract's amounts and thresholds", () => {
    const [position] = evaluateAccount(row, marketOf([reserve(1), reserve(2)]), account())!;
    expect(position).toMatchObject({
      totalCollateralRaw: 100_00000000n,
      totalDebtRaw: 50_00000000n,
      verification: 'recomputed',
    });
    expect(position?.legs).toMatchObject([
      {
        symbol: 'T1',
        side: 'collateral',
        amountRaw: 100_000_000n,
        liquidationThresholdBps: 8_000n,
        liquidationBonusBps: 500n,
        usedAsCollateral: true,
        annualRate: 0.02,
      },
      {
        symbol: 'T2',
        side: 'debt',
        amountRaw: 50_000_000n,
        liquidationThresholdBps: 0n,
        usedAsCollateral: false,
        annualRate: 0.05,
      },
    ]);
    expect(healthFactor(marketOf([reserve(1), reserve(2)]))).toBe(1.6);
  });

  it('a debt at two rates costs the sum of both', () => {
    const { balances, ...rest } = account();
    const stableDebt = { principal: 150_000_000n, rate: RAY / 10n, since: 1_000n };
    const mixed = { ...rest, balances: new Map([...balances, [2, { ...balances.get(2)!, stableDebt }]]) };
    const [position] = evaluateAccount(row, marketOf([reserve(1), reserve(2)]), mixed)!;
    expect(position?.legs[1]).toMatchObject({ amountRaw: 200_000_000n, annualRate: 0.0875 });
  });

  it("the liquidator's bonus is that of the e-mode, and absent where nothing can be seized", () => {
    const bonusIn = (category: number, of: Partial<AaveV3Reserve['parameters']>): unknown => {
      const market = marketOf([reserve(1, of), reserve(2)], [[4, eMode()]]);
      return evaluateAccount(row, market, account(category))?.[0]?.legs[0]?.liquidationBonusBps;
    };
    expect(bonusIn(4, { eModeCategory: 4 })).toBe(100n);
    expect(bonusIn(4, {})).toBe(500n);
    expect(bonusIn(0, { liquidationBonusBps: 0n })).toBeUndefined();
  });

  it('up to 3.1 an asset names its e-mode category', () => {
    const category = eMode();
    const market = marketOf([reserve(1, { eModeCategory: 4 }), reserve(2)], [[4, category]]);
    expect(healthFactor(market, 4)).toBe(1.9);
    expect(healthFactor(market, 0)).toBe(1.6);
  });

  it('from 3.2 on a category lists its collateral in a bitmap', () => {
    const category = (collateralBitmap: bigint): AaveV3EMode => eMode({ collateralBitmap });
    expect(healthFactor(marketOf([reserve(1), reserve(2)], [[4, category(1n << 1n)]]), 4)).toBe(1.9);
    expect(healthFactor(marketOf([reserve(1), reserve(2)], [[4, category(1n << 2n)]]), 4)).toBe(1.6);
  });

  it('a category’s own price counts only for its assets', () => {
    const price = { value: 2_00000000n, source: address(8) };
    const category = eMode({ price });
    const market = marketOf([reserve(1, { eModeCategory: 4 }), reserve(2)], [[4, category]]);
    const [supply, debt] = evaluateAccount(row, market, account(4))?.[0]?.legs ?? [];
    expect(supply).toMatchObject({ priceRaw: 2_00000000n, oracle: address(8) });
    expect(debt).toMatchObject({ priceRaw: 1_00000000n, oracle: address(2) });
  });

  describe('e-modes that a wallet may enter', () => {
    const choices = (market: AaveV3Market, category = 0) =>
      (evaluateAccount(row, market, account(category))?.[0]?.eModes ?? []).map(({ id, healthFactorRaw }) => [
        id,
        Number(healthFactorRaw) / 1e18,
      ]);
    const listed = (id: number) => [reserve(1, { eModeCategory: id }), reserve(2, { eModeCategory: id })];
    const inBitmaps = (over: Partial<AaveV3EMode> = {}): AaveV3EMode =>
      eMode({ collateralBitmap: 0b10n, borrowableBitmap: 0b100n, ltvZeroBitmap: 0n, ...over });

    it('if all debts belong to the category and a collateral counts for more', () => {
      expect(choices(marketOf(listed(4), [[4, eMode()]]))).toEqual([[4, 1.9]]);
      expect(choices(marketOf([reserve(1, { eModeCategory: 4 }), reserve(2)], [[4, eMode()]]))).toEqual([]);
      const [position] = evaluateAccount(row, marketOf(listed(4), [[4, eMode()]]), account())!;
      expect(position?.eModes).toMatchObject([
        { label: 'Category', collateral: [{ address: address(1), liquidationThresholdBps: 9_500n }] },
      ]);
    });

    it('the safest first, without those that are no better, current, or have their own price', () => {
      const modes: [number, AaveV3EMode][] = [
        [4, inBitmaps({ liquidationThresholdBps: 9_000n })],
        [5, inBitmaps()],
        [6, inBitmaps({ liquidationThresholdBps: 8_000n })],
        [7, inBitmaps({ price: { value: 2_00000000n, source: address(8) } })],
      ];
      const market = marketOf([reserve(1), reserve(2)], modes, 10n);
      expect(choices(market)).toEqual([
        [5, 1.9],
        [4, 1.8],
      ]);
      expect(choices(market, 5)).toEqual([]);
      expect(choices(market, 4)).toEqual([[5, 1.9]]);
    });

    it('from 3.6 on not with collateral that is closed to new wallets', () => {
      const market = (over: Partial<AaveV3EMode>, ltvBps = 7_500n): AaveV3Market =>
        marketOf([reserve(1, { ltvBps }), reserve(2)], [[5, inBitmaps(over)]], 10n);
      expect(choices(market({}))).toHaveLength(1);
      expect(choices(market({}, 0n))).toHaveLength(1);
      expect(choices(market({ ltvZeroBitmap: 0b10n }))).toEqual([]);
      expect(choices(market({ borrowableBitmap: 0b10n }))).toEqual([]);
    });

    it('none if the arithmetic is not exact', () => {
      expect(
        choices(marketOf([reserve(1), reserve(2)], [[5, inBitmaps({ ltvZeroBitmap: null })]], 7n)),
      ).toEqual([]);
    });
  });

  it('a revision with unknown rounding is marked approximate', () => {
    const market = marketOf([reserve(1), reserve(2)], [], 7n);
    expect(evaluateAccount(row, market, account())?.[0]?.verification).toBe('approximate');
  });
});
