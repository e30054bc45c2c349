import fc from 'fast-check';
import { RAY, WAD } from '../fixed-point/math';
import {
  aaveV3AccountTotals,
  type AaveV3Holding,
  decodeReserveCaps,
  decodeReserveConfiguration,
  isBorrowing,
  isUsingAsCollateral,
} from './math';

const holding = (changes: Partial<AaveV3Holding> = {}): AaveV3Holding => ({
  scaledSupply: 0n,
  scaledVariableDebt: 0n,
  stableDebt: 0n,
  usedAsCollateral: false,
  borrowing: false,
  normalizedIncome: RAY,
  normalizedDebt: RAY,
  price: 1_00000000n,
  unit: 10n ** 6n,
  liquidationThresholdBps: 8_000n,
  eModeThresholdBps: null,
  ...changes,
});
const supplied = (usd: bigint, changes: Partial<AaveV3Holding> = {}): AaveV3Holding =>
  holding({ scaledSupply: usd * 10n ** 6n, usedAsCollateral: true, ...changes });
const borrowed = (usd: bigint, changes: Partial<AaveV3Holding> = {}): AaveV3Holding =>
  holding({ scaledVariableDebt: usd * 10n ** 6n, borrowing: true, ...changes });

const anyHolding: fc.Arbitrary<AaveV3Holding> = fc.record({
  scaledSupply: fc.bigInt({ min: 0n, max: 10n ** 27n }),
  scaledVariableDebt: fc.bigInt({ min: 0n, max: 10n ** 27n }),
  stableDebt: fc.bigInt({ min: 0n, max: 10n ** 24n }),
  usedAsCollateral: fc.boolean(),
  borrowing: fc.boolean(),
  normalizedIncome: fc.bigInt({ min: RAY, max: 3n * RAY }),
  normalizedDebt: fc.bigInt({ min: RAY, max: 5n * RAY }),
  price: fc.bigInt({ min: 1n, max: 10n ** 13n }),
  unit: fc.constantFrom(10n ** 6n, 10n ** 8n, 10n ** 18n),
  liquidationThresholdBps: fc.bigInt({ min: 0n, max: 9_800n }),
  eModeThresholdBps: fc.option(fc.bigInt({ min: 1n, max: 9_900n })),
});
const holdings = fc.array(anyHolding, { maxLength: 6 });

describe('aaveV3AccountTotals', () => {
  it('health factor null without debt, 0 without collateral', () => {
    expect(aaveV3AccountTotals([]).healthFactor).toBeNull();
    expect(aaveV3AccountTotals([supplied(10n)]).healthFactor).toBeNull();
    expect(aaveV3AccountTotals([borrowed(10n)]).healthFactor).toBe(0n);
  });

  it('collateral × threshold / debt', () => {
    expect(aaveV3AccountTotals([supplied(1_000n), borrowed(500n)])).toEqual({
      totalCollateralBase: 1_000_00000000n,
      totalDebtBase: 500_00000000n,
      liquidationThresholdBps: 8_000n,
      healthFactor: (16n * WAD) / 10n,
    });
  });

  it('counts a supply only when it is used as collateral', () => {
    const plain = aaveV3AccountTotals([supplied(1_000n), borrowed(500n)]);
    const unused = supplied(9_000n, { usedAsCollateral: false });
    expect(aaveV3AccountTotals([supplied(1_000n), unused, borrowed(500n)])).toEqual(plain);
  });

  it('an asset with a threshold of 0 is no collateral, even in an e-mode', () => {
    const none = supplied(1_000n, { liquidationThresholdBps: 0n, eModeThresholdBps: 9_500n });
    expect(aaveV3AccountTotals([none]).totalCollateralBase).toBe(0n);
  });

  it('uses the threshold of the e-mode for the assets of its category', () => {
    const totals = aaveV3AccountTotals([supplied(1_000n, { eModeThresholdBps: 9_500n }), borrowed(500n)]);
    expect(totals.healthFactor).toBe((19n * WAD) / 10n);
  });

  it('adds variable and stable debt before it truncates', () => {
    const half = { price: 50_000_000n, unit: 10n ** 8n };
    const both = aaveV3AccountTotals([borrowed(0n, { ...half, scaledVariableDebt: 1n, stableDebt: 1n })]);
    expect(both.totalDebtBase).toBe(1n);
  });

  it('truncates the average threshold to a basis point', () => {
    const totals = aaveV3AccountTotals([supplied(1n, { liquidationThresholdBps: 8_001n }), supplied(1n)]);
    expect(totals.liquidationThresholdBps).toBe(8_000n);
  });

  it('does not depend on the order of the reserves', () => {
    fc.assert(
      fc.property(holdings, (list) => {
        expect(aaveV3AccountTotals([...list].reverse())).toEqual(aaveV3AccountTotals(list));
      }),
    );
  });

  it('more debt never raises the health factor', () => {
    fc.assert(
      fc.property(holdings, anyHolding, (list, extra) => {
        const more = { ...extra, borrowing: true, usedAsCollateral: false };
        const before = aaveV3AccountTotals(list).healthFactor;
        const after = aaveV3AccountTotals([...list, more]).healthFactor;
        expect(before === null || (after !== null && after <= before)).toBe(true);
      }),
    );
  });

  it('is within a basis point of the threshold of the real-valued formula', () => {
    fc.assert(
      fc.property(holdings, (list) => {
        const { healthFactor, totalDebtBase, totalCollateralBase } = aaveV3AccountTotals(list);
        if (healthFactor === null || totalDebtBase < 10n ** 8n) return;
        let weighted = 0;
        let halfUnits = 0;
        for (const h of list) {
          if (!h.usedAsCollateral || h.liquidationThresholdBps === 0n) continue;
          const threshold = Number(h.eModeThresholdBps ?? h.liquidationThresholdBps) / 10_000;
          const balance = Number(h.scaledSupply) * (Number(h.normalizedIncome) / 1e27);
          const perUnit = (Number(h.price) / Number(h.unit)) * threshold;
          weighted += balance * perUnit;
          halfUnits += perUnit / 2;
        }
        // One basis point of the average threshold, half a unit of each balance, half a wei of the health factor, and the
        // doubles of this test.
        const tolerance =
          Number(totalCollateralBase) / 10_000 +
          halfUnits +
          Number(totalDebtBase) / 1e18 +
          weighted * 1e-9 +
          10;
        expect(Math.abs(weighted - (Number(healthFactor) / 1e18) * Number(totalDebtBase))).toBeLessThan(
          tolerance,
        );
      }),
    );
  });
});

describe('decodeReserveConfiguration', () => {
  it('reads the fields from their bits', () => {
    const word =
      8_000n |
      (8_250n << 16n) |
      (10_500n << 32n) |
      (18n << 48n) |
      (1n << 56n) |
      (1n << 57n) |
      (1n << 60n) |
      (3n << 168n);
    expect(decodeReserveConfiguration(word)).toEqual({
      ltvBps: 8_000n,
      liquidationThresholdBps: 8_250n,
      liquidationBonusBps: 10_500n,
      decimals: 18,
      isActive: true,
      isFrozen: true,
      isPaused: true,
      eModeCategory: 3,
    });
  });
});

describe('decodeReserveCaps', () => {
  it('reads the caps from their bits, beside the widest values of the others', () => {
    const widest = 2n ** 36n - 1n;
    expect(decodeReserveCaps((7n << 80n) | (widest << 116n))).toEqual({ borrow: 7n, supply: widest });
    expect(decodeReserveCaps(~((widest << 80n) | (widest << 116n)) & (2n ** 256n - 1n))).toEqual({
      borrow: 0n,
      supply: 0n,
    });
  });
});

describe('isBorrowing, isUsingAsCollateral', () => {
  it('read the pair of bits of one reserve and of no other', () => {
    fc.assert(
      fc.property(fc.nat(127), fc.nat(127), (id, other) => {
        expect(isBorrowing(1n << BigInt(2 * id), other)).toBe(id === other);
        expect(isUsingAsCollateral(1n << BigInt(2 * id + 1), other)).toBe(id === other);
        expect(isBorrowing(1n << BigInt(2 * id + 1), other)).toBe(false);
      }),
    );
  });
});
