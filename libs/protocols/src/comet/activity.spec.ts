import type { Address } from 'viem';
import { expectTotalsOf } from '../../test/expect-totals';
import { openActivity } from '../../test/open-activity';
import { expectRead, type ExpectedMove } from '../../test/play-moves';
import type { ActivityReading } from '../activity/recorded-activity';

const WAD = 10n ** 18n;
const USDC = 10n ** 6n;

describe('comet', () => {
  const { named, wallets, read } = openActivity('comet/comet');
  const [anna, ben, carl, dora, emil] = named('anna', 'ben', 'carl', 'dora', 'emil');
  const [lender, liquidator, weth, usdc] = named('lender', 'liquidator', 'weth', 'usdc');
  let reading: ActivityReading;
  beforeAll(async () => {
    reading = await read();
  });
  /** The amounts of actions whose amounts have interest of some seconds. */
  const amountsOf = (wallet: string): bigint[] =>
    reading.read.activities.filter((each) => each.wallet === wallet).map(({ amountRaw }) => amountRaw);

  it('every action is found once; paying debt is a repayment, and taking more than the supply is a loan', () => {
    const collateral = (action: 'supply' | 'withdraw', amountRaw: bigint): ExpectedMove => {
      return { action, wallet: anna, token: weth, amountRaw };
    };
    const base = { token: usdc } as const;
    const [repaid, supplied, withdrawn, borrowed] = amountsOf(carl) as [bigint, bigint, bigint, bigint];
    const [, transferred] = amountsOf(ben) as [bigint, bigint];
    const [absorbed] = amountsOf(emil) as [bigint];
    const liquidated = { ...base, action: 'liquidation', counterparty: liquidator } as const;
    expectRead(reading.read.activities, reading.readByBlock, [
      collateral('supply', 9n * WAD),
      collateral('withdraw', WAD),
      { ...base, action: 'supply', wallet: ben, amountRaw: 7_000n * USDC },
      { ...base, action: 'borrow', wallet: anna, counterparty: ben, amountRaw: 3_000n * USDC },
      { ...base, action: 'repay', wallet: anna, counterparty: ben, amountRaw: 1_000n * USDC },
      { action: 'transfer', wallet: anna, counterparty: ben, token: weth, amountRaw: 2n * WAD },
      { ...base, action: 'repay', wallet: carl, amountRaw: repaid },
      { ...base, action: 'supply', wallet: carl, amountRaw: supplied },
      { ...base, action: 'withdraw', wallet: carl, amountRaw: withdrawn },
      { ...base, action: 'borrow', wallet: carl, amountRaw: borrowed },
      { ...base, action: 'transfer', wallet: ben, counterparty: lender, amountRaw: transferred },
      // 93 % of one bitcoin at 46,000: more than dora owes.
      { ...liquidated, wallet: dora, amountRaw: 42_780n * USDC },
      { ...liquidated, wallet: emil, amountRaw: absorbed },
    ]);
  });

  it('one payment that clears a debt and supplies the rest counts as both, and so does a withdrawal beyond a supply', () => {
    const [repaid, supplied, withdrawn, borrowed] = amountsOf(carl) as [bigint, bigint, bigint, bigint];
    expect(repaid + supplied).toBe(5_000n * USDC);
    expect(withdrawn + borrowed).toBe(4_000n * USDC);
    // A debt of 2,000 with interest of 30 days: 0.5 % a year and a tenth of the utilization, 7.7 %.
    expect(Number(repaid - 2_000n * USDC)).toBeCloseTo(2_000_000_000 * ((0.005 + 0.0077) * (30 / 365)), -4);
    // Interest of some seconds, and the rounding of a principal.
    expect(Number(withdrawn - supplied)).toBeLessThan(1_000);
    expect(Math.abs(Number(amountsOf(ben)[1]! - 700n * USDC))).toBeLessThan(1_000);
    const parts = reading.read.activities.filter(({ wallet }) => wallet === carl).map(({ part }) => part);
    expect(parts).toEqual([undefined, 1, undefined, 1]);
  });

  it('bad debt is liquidated in full', () => {
    expect(amountsOf(emil)[0]).toBeGreaterThan(35_000n * USDC);
  });

  it('a token has the price of an oracle of the chain, or none', () => {
    expect(reading.tokens.get(usdc)?.usdRaw).toBe(1_001n * 10n ** 15n);
    expect(reading.tokens.get(weth)?.usdRaw).toBeNull();
  });

  it('is in dollars like its feeds', () => {
    const { positions } = reading.after;
    expect(new Set(positions.map(({ usdPerBaseRaw }) => usdPerBaseRaw))).toEqual(new Set([WAD]));
  });

  it('names the wallets that acted', () => {
    const acting = [anna, ben, carl, dora, emil, lender];
    expect([...(reading.touched as Address[])].toSorted()).toEqual(acting.toSorted());
  });

  it('its totals are those of all positions', () => {
    const { positions, unreadable } = reading.after;
    expect(unreadable).toEqual([]);
    expect(positions.map(({ wallet }) => wallet)).toEqual([anna, ben, carl, dora, lender]);
    expect(wallets.length).toBeGreaterThan(positions.length);
    expectTotalsOf(reading.totals, positions);
  });
});
