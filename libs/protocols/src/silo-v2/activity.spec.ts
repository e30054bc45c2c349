import { amountsUsd } from '../../test/expect-totals';
import { openActivity } from '../../test/open-activity';
import { expectRead } from '../../test/play-moves';
import type { ActivityReading } from '../activity/recorded-activity';
import type { RawPosition } from '../reader/raw-position';

const WAD = 10n ** 18n;
const USDC = 10n ** 6n;

describe('silo-v2', () => {
  const { named, read } = openActivity('silo-v2/silo-v2');
  const [anna, ben, carl, dora, emil, gwen] = named('anna', 'ben', 'carl', 'dora', 'emil', 'gwen');
  const [lender, liquidator, weth, usdc] = named('lender', 'liquidator', 'weth', 'usdc');
  let reading: ActivityReading;
  beforeAll(async () => {
    reading = await read();
  });
  const of = (wallet: string, id: string): RawPosition =>
    reading.after.positions.find((each) => each.wallet === wallet && each.subId === id)!;

  it("every action is found once, also in a market that is created later; a hook's actions are the liquidation", () => {
    const [held, owed] = [
      { wallet: anna, token: weth, subId: '103' },
      { wallet: anna, token: usdc, subId: '103' },
    ];
    const liquidated = { wallet: dora, token: usdc, subId: '100', counterparty: liquidator } as const;
    // Deposits that anna lends and then protects, and the reverse, are no action, nor are shares that she gives away.
    expectRead(reading.read.activities, reading.readByBlock, [
      { action: 'supply', wallet: lender, token: usdc, subId: '103', amountRaw: 50_000n * USDC },
      { ...held, action: 'supply', counterparty: ben, amountRaw: 9n * WAD },
      { ...held, action: 'supply', amountRaw: WAD },
      { ...owed, action: 'borrow', counterparty: ben, amountRaw: 7_000n * USDC },
      { ...owed, action: 'repay', counterparty: ben, amountRaw: 1_000n * USDC },
      { ...held, action: 'withdraw', amountRaw: 3n },
      { ...held, action: 'withdraw', counterparty: ben, amountRaw: 4n },
      { action: 'borrow', wallet: gwen, token: usdc, subId: '101', amountRaw: 10n * USDC },
      { ...liquidated, action: 'liquidation', amountRaw: 500n * USDC },
      // The liquidator takes the shares of the deposit.
      { ...liquidated, action: 'liquidation', amountRaw: 400n * USDC },
    ]);
  });

  it('a token has the price of an oracle of the chain', () => {
    const prices = [weth, usdc].map((token) => reading.tokens.get(token)?.usdRaw);
    expect(prices).toEqual([2_500n * WAD, WAD]);
  });

  it('its totals are those of all positions', () => {
    const usd = { WETH: 2_500, USDC: 1 };
    const { positions } = reading.after;
    expect(reading.totals!.suppliedUsd / amountsUsd(positions, 'collateral', usd)).toBeCloseTo(1, 6);
    expect(reading.totals!.borrowedUsd / amountsUsd(positions, 'debt', usd)).toBeCloseTo(1, 6);
  });

  it('each market is a separate position, also that which is created after the reader started', () => {
    expect(reading.before.positions.some(({ subId }) => subId === '103')).toBe(false);
    expect(reading.after.unreadable).toEqual([]);
    expect(reading.after.positions.map(({ wallet, subId }) => [wallet, subId])).toEqual([
      [anna, '103'],
      ...['100', '101', '102'].map((id) => [carl, id]),
      [dora, '100'],
      [emil, '103'],
      [gwen, '101'],
      ...['100', '101', '102', '103'].map((id) => [lender, id]),
      [liquidator, '100'],
    ]);
  });

  it('a deposit beside a debt secures nothing, unless it is of the side that secures the debt', () => {
    const secures = (wallet: string, id: string) =>
      of(wallet, id).legs.map(({ symbol, side, usedAsCollateral }) => [symbol, side, usedAsCollateral]);
    expect(secures(carl, '100')).toEqual([
      ['WETH', 'collateral', true],
      ['USDC', 'collateral', false],
      ['USDC', 'debt', false],
    ]);
    // A market of an older version, where a deposit secures a loan of the same token.
    expect(secures(gwen, '101')).toEqual([
      ['USDC', 'collateral', true],
      ['USDC', 'debt', false],
    ]);
    const { healthFactorRaw, totalCollateralRaw, totalDebtRaw, verification } = of(gwen, '101');
    const ratio = (0.95 * Number(totalCollateralRaw)) / Number(totalDebtRaw);
    expect(Number(healthFactorRaw) / 1e18).toBeCloseTo(ratio, 6);
    expect(verification).not.toBe('approximate');
  });

  it('positions of an oracle that does not state its currency are in dollars by an asset that another oracle knows', () => {
    const { totalCollateralRaw, usdPerBaseRaw, legs } = of(carl, '102');
    const ether = legs.find(({ symbol }) => symbol === 'WETH')!;
    const usd = (Number(totalCollateralRaw) / 1e18) * (Number(usdPerBaseRaw) / 1e18);
    expect(usd / ((Number(ether.amountRaw) / 1e18) * 2_500)).toBeCloseTo(1, 6);
  });

  it('interest alone changes no principal', () => {
    const principals = ({ positions }: ActivityReading['after']) =>
      positions
        .filter(({ wallet }) => wallet === carl)
        .map(({ legs }) => legs.map(({ scaledRaw }) => scaledRaw));
    expect(principals(reading.after)).toEqual(principals(reading.before));
  });
});
