import fc from 'fast-check';
import {
  type RawCollateral,
  type RawLeg,
  type RawPosition,
  type RemedyAction,
  healthModelOf,
  remedyAmount,
} from './remedy';

const WAD = 10n ** 18n;
const TARGET = (15n * WAD) / 10n;

const leg = (amountRaw: bigint, decimals: number, priceUsd: number): RawLeg => ({
  amountRaw,
  decimals,
  priceRaw: BigInt(Math.round(priceUsd * 1e8)),
  priceDecimals: 8,
});
const collateral = (amount: bigint, priceUsd: number, liquidationThresholdBps: number): RawCollateral => ({
  ...leg(amount * WAD, 18, priceUsd),
  liquidationThresholdBps,
});
const position = (over: Partial<RawPosition> = {}): RawPosition => ({
  collateral: [collateral(10n, 2_000, 8_000)],
  debt: [leg(14_000_000_000n, 6, 1)],
  healthFactorRaw: null,
  baseDecimals: 8,
  ...over,
});

/** Wad of the exact quotient, rounded down, written independently of the tested code. */
function health({ collateral: supplied, debt }: RawPosition): bigint | null {
  const value = ({ amountRaw, priceRaw, decimals, priceDecimals }: RawLeg): bigint =>
    amountRaw * priceRaw * 10n ** BigInt(60 - decimals - priceDecimals);
  const weighted = supplied.reduce(
    (sum, each) => sum + value(each) * BigInt(each.liquidationThresholdBps),
    0n,
  );
  const owed = debt.reduce((sum, each) => sum + value(each), 0n);
  return owed === 0n ? null : (weighted * WAD) / (owed * 10_000n);
}

/** The position after `amountRaw` of one of its legs is repaid or added. */
function remediedPosition(
  of: RawPosition,
  action: RemedyAction,
  leg: RawLeg,
  amountRaw: bigint,
): RawPosition {
  const change = action === 'repay' ? -amountRaw : amountRaw;
  const changed = <T extends RawLeg>(each: T): T =>
    each === leg ? { ...each, amountRaw: each.amountRaw + change } : each;
  return { ...of, collateral: of.collateral.map(changed), debt: of.debt.map(changed) };
}

const price = fc.bigInt(1n, 10_000_000_000_000n);
const rawLeg = fc.record({
  amountRaw: fc.bigInt(1n, 10n ** 24n),
  decimals: fc.constantFrom(6, 8, 18),
  priceRaw: price,
  priceDecimals: fc.constantFrom(8, 18),
});
const rawCollateral = fc
  .tuple(rawLeg, fc.integer({ min: 100, max: 9_800 }))
  .map(([each, liquidationThresholdBps]): RawCollateral => ({ ...each, liquidationThresholdBps }));
const anyPosition = fc.record({
  collateral: fc.array(rawCollateral, { minLength: 1, maxLength: 4 }),
  debt: fc.array(rawLeg, { minLength: 1, maxLength: 3 }),
  healthFactorRaw: fc.constant(null),
  baseDecimals: fc.constant(8),
});
const target = fc.bigInt((101n * WAD) / 100n, 3n * WAD);

const remedies = (of: RawPosition): [RemedyAction, RawLeg][] => [
  ...of.debt.map((each): [RemedyAction, RawLeg] => ['repay', each]),
  ...of.collateral.map((each): [RemedyAction, RawLeg] => ['add_collateral', each]),
];
const after = (of: RawPosition, action: RemedyAction, of1: RawLeg, amountRaw: bigint): bigint | null =>
  health(remediedPosition(of, action, of1, amountRaw));

describe('remedyAmount', () => {
  it('repays exactly the missing amount', () => {
    const { debt } = position();
    // 10 WETH at 2,000 count as 16,000. At 1.5 they secure 10,666.666666… USDC.
    expect(remedyAmount(position({ debt }), 'repay', debt[0]!, TARGET)).toMatchObject({
      amountRaw: 3_333_333_334n,
      model: 'sum',
    });
  });

  it('adds exactly the missing amount', () => {
    const supplied = position().collateral;
    // 21,000 are needed and 16,000 exist: 5,000 / (0.8 · 2,000) = 3.125 WETH.
    expect(
      remedyAmount(position({ collateral: supplied }), 'add_collateral', supplied[0]!, TARGET)?.amountRaw,
    ).toBe(3_125_000_000_000_000_000n);
  });

  it('suggests nothing that is unnecessary, insufficient or not counted', () => {
    const small = leg(1_000_000n, 6, 1);
    const idle = collateral(1n, 100, 0);
    const two = position({ debt: [...position().debt, small], collateral: [...position().collateral, idle] });
    expect(remedyAmount(two, 'repay', small, TARGET)).toBeNull();
    expect(remedyAmount(two, 'add_collateral', idle, TARGET)).toBeNull();
    const reached = position();
    expect(remedyAmount(reached, 'repay', reached.debt[0]!, WAD)).toBeNull();
    const unpriced = { ...leg(1n, 6, 1), priceRaw: 0n };
    expect(remedyAmount(position({ debt: [unpriced] }), 'repay', unpriced, TARGET)).toBeNull();
  });

  it('reaches the target, and one raw unit less does not', () => {
    fc.assert(
      fc.property(anyPosition, target, (of, aim) => {
        for (const [action, each] of remedies(of)) {
          const found = remedyAmount(of, action, each, aim);
          if (found === null) continue;
          const reached = after(of, action, each, found.amountRaw);
          if (reached !== null) expect(reached >= aim).toBe(true);
          expect(after(of, action, each, found.amountRaw - 1n)! < aim).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is null only if it should be', () => {
    fc.assert(
      fc.property(anyPosition, target, (of, aim) => {
        const now = health(of)!;
        for (const [action, each] of remedies(of)) {
          if (remedyAmount(of, action, each, aim) !== null) continue;
          const all = action === 'repay' ? after(of, action, each, each.amountRaw) : null;
          expect(now >= aim || (all !== null && all < aim)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('ends at the target of the contract with the truncated average of Aave', () => {
    fc.assert(
      fc.property(
        fc.array(rawCollateral, { minLength: 2, maxLength: 4 }),
        fc.array(rawLeg, { minLength: 1, maxLength: 3 }),
        target,
        (supplied, debt, aim) => {
          const bare: RawPosition = { collateral: supplied, debt, healthFactorRaw: null, baseDecimals: 8 };
          const contract = aave(bare);
          if (contract === null) return;
          const of = { ...bare, healthFactorRaw: contract };
          expect(healthModelOf(of)).toBe('truncated');
          for (const [action, each] of remedies(of)) {
            const found = remedyAmount(of, action, each, aim);
            if (found === null) continue;
            const reached = aave(remediedPosition(of, action, each, found.amountRaw));
            if (reached !== null) expect(reached >= aim).toBe(true);
            expect(aave(remediedPosition(of, action, each, found.amountRaw - 1n))! < aim).toBe(true);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is never below the target, and at most 1e-6 above it, for a contract with other arithmetic', () => {
    fc.assert(
      fc.property(
        fc.bigInt(5n * WAD, 10n ** 6n * WAD),
        fc.bigInt(990_000n, 1_010_000n),
        target,
        (amountRaw, millionths, aim) => {
          const debt = leg(10n ** 12n, 6, 1);
          const of = position({ collateral: [{ ...collateral(1n, 2_000, 8_000), amountRaw }], debt: [debt] });
          const contract = (changed: RawPosition): bigint => (health(changed)! * millionths) / 1_000_000n;
          const known = { ...of, healthFactorRaw: contract(of) };
          if (known.healthFactorRaw >= aim || healthModelOf(known) !== 'scaled') return;
          for (const [action, each] of remedies(known)) {
            const found = remedyAmount(known, action, each, aim);
            if (found === null) continue;
            const reached = contract(remediedPosition(known, action, each, found.amountRaw));
            expect(reached >= aim).toBe(true);
            expect(Number(reached - aim) / Number(aim)).toBeLessThan(1e-6);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** Aave v3.0, in base units of 8 decimals: GenericLogic.calculateUserAccountData. */
function aave({ collateral: supplied, debt }: RawPosition): bigint | null {
  const base = ({ amountRaw, priceRaw, decimals, priceDecimals }: RawLeg): bigint =>
    (amountRaw * priceRaw * 10n ** 8n) / 10n ** BigInt(decimals + priceDecimals);
  const total = supplied.reduce((sum, each) => sum + base(each), 0n);
  const weighted = supplied.reduce(
    (sum, each) => sum + base(each) * BigInt(each.liquidationThresholdBps),
    0n,
  );
  const owed = debt.reduce((sum, each) => sum + base(each), 0n);
  if (owed === 0n) return null;
  const secured = total === 0n ? 0n : (total * (weighted / total) + 5_000n) / 10_000n;
  return (secured * WAD + owed / 2n) / owed;
}
