import { expectTotalsOf } from '../../test/expect-totals';
import { openActivity } from '../../test/open-activity';
import { expectRead } from '../../test/play-moves';
import type { ActivityReading } from '../activity/recorded-activity';
import type { PositionsRead } from '../reader/protocol-reader';

const WAD = 10n ** 18n;
const USDC = 10n ** 6n;

describe('aave-v4', () => {
  const { named, read, makeReader, before } = openActivity('aave-v4/aave-v4');
  const [anna, ben, carl, dora, lender] = named('anna', 'ben', 'carl', 'dora', 'lender');
  const [liquidator, weth, usdc] = named('liquidator', 'weth', 'usdc');
  let reading: ActivityReading;
  beforeAll(async () => {
    reading = await read();
  });

  it('every action is found once, also in a reserve that is listed later', () => {
    const [held, owed] = [
      { wallet: anna, token: weth },
      { wallet: anna, token: usdc },
    ];
    const liquidated = {
      action: 'liquidation',
      wallet: dora,
      counterparty: liquidator,
      token: usdc,
    } as const;
    expectRead(reading.read.activities, reading.readByBlock, [
      { action: 'supply', wallet: lender, token: usdc, amountRaw: 100_000n * USDC },
      { action: 'borrow', wallet: dora, token: usdc, amountRaw: 3_900n * USDC },
      { ...held, action: 'supply', amountRaw: 5n * WAD },
      { ...held, action: 'supply', counterparty: ben, amountRaw: WAD },
      { ...owed, action: 'borrow', amountRaw: 4_000n * USDC },
      { ...owed, action: 'repay', counterparty: ben, amountRaw: 1_000n * USDC },
      { ...owed, action: 'borrow', counterparty: ben, amountRaw: 100n * USDC },
      { ...held, action: 'withdraw', amountRaw: WAD },
      { action: 'withdraw', wallet: carl, token: weth, amountRaw: 10n * WAD },
      { ...liquidated, amountRaw: 500n * USDC },
      // The liquidator takes the shares of the supply.
      { ...liquidated, amountRaw: 400n * USDC },
    ]);
    expect(reading.read.permissions).toMatchObject([
      { wallet: anna, delegate: ben, isGranted: true },
      { wallet: anna, delegate: ben, isGranted: false },
    ]);
  });

  it("a token has the price of the spoke's oracle", () => {
    const prices = [weth, usdc].map((token) => reading.tokens.get(token)?.usdRaw);
    expect(prices).toEqual([2_300n * WAD, WAD]);
  });

  it('logs name the wallet that a supply is for, and a liquidator that takes shares', () => {
    expect(reading.touched).toEqual({ opened: [lender, anna, liquidator] });
  });

  it('a supply that its owner did not enable secures nothing', () => {
    const secures = ({ positions, unreadable }: PositionsRead) => {
      expect(unreadable).toEqual([]);
      return positions.map(({ wallet, legs }) => [
        wallet,
        legs.map(({ symbol, side, usedAsCollateral }) => [symbol, side, usedAsCollateral]),
      ]);
    };
    const [secured, owed] = [
      ['WETH', 'collateral', true],
      ['USDC', 'debt', false],
    ];
    const lent = (symbol: string) => [symbol, 'collateral', false];
    expect(secures(reading.before)).toEqual([
      [carl, [lent('WETH')]],
      [dora, [secured]],
    ]);
    expect(secures(reading.after)).toEqual([
      [anna, [secured, owed]],
      [dora, [secured, owed]],
      [lender, [lent('USDC')]],
      [liquidator, [lent('WETH')]],
    ]);
  });

  it('interest alone changes no principal', async () => {
    const principals = (positions: PositionsRead['positions']) =>
      positions
        .filter(({ wallet }) => wallet === carl || wallet === dora)
        .map(({ legs }) => legs[0]!.scaledRaw);
    const { positions } = await makeReader().readPositions([carl, dora], before);
    expect(principals(positions)).toEqual([10n * WAD, 2n * WAD]);
  });

  it('its totals are those of all positions', () => {
    expectTotalsOf(reading.totals, reading.after.positions);
  });
});
