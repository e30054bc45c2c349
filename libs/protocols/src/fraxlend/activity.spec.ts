import { expectTotalsOf } from '../../test/expect-totals';
import { openActivity } from '../../test/open-activity';
import { expectRead, type ExpectedMove } from '../../test/play-moves';
import type { ActivityReading } from '../activity/recorded-activity';
import type { PositionsRead } from '../reader/protocol-reader';

const WAD = 10n ** 18n;

describe('fraxlend', () => {
  const { named, read, makeReader, before, after } = openActivity('fraxlend/fraxlend');
  const [anna, ben, carl, dora, emil] = named('anna', 'ben', 'carl', 'dora', 'emil');
  const [lender, liquidator, frax, weth] = named('lender', 'liquidator', 'frax', 'weth');
  const [firstOfV1, firstOfV2] = named('firstOfV1', 'firstOfV2');
  const later = named('laterOfV1', 'laterOfV2');
  let reading: ActivityReading;
  beforeAll(async () => {
    reading = await read();
  });

  it('every action in pairs of both versions is found once, also in those that are added later', () => {
    const flows = later.flatMap((subId): ExpectedMove[] => {
      const [lent, held] = [
        { wallet: anna, token: frax, subId },
        { wallet: anna, token: weth, subId },
      ];
      return [
        { ...lent, action: 'supply', counterparty: ben, amountRaw: 9n * WAD },
        { ...lent, action: 'withdraw', counterparty: ben, amountRaw: WAD },
        { ...held, action: 'supply', amountRaw: 8n * WAD },
        { ...held, action: 'supply', counterparty: ben, amountRaw: 2n },
        { ...held, action: 'supply', amountRaw: 3n },
        { ...lent, action: 'borrow', amountRaw: 5n * WAD },
        { ...lent, action: 'repay', counterparty: ben, amountRaw: WAD },
        { ...held, action: 'withdraw', counterparty: ben, amountRaw: WAD },
      ];
    });
    const repaid = reading.read.activities.flatMap(({ action, amountRaw }) =>
      action === 'liquidation' ? [amountRaw] : [],
    );
    // The collateral that a pair keeps of a liquidation is no action.
    const liquidations = [firstOfV1, firstOfV2, firstOfV1, firstOfV2].map((subId, at): ExpectedMove => {
      const amountRaw = repaid[at]!;
      return { action: 'liquidation', wallet: dora, counterparty: liquidator, token: frax, subId, amountRaw };
    });
    expectRead(reading.read.activities, reading.readByBlock, [
      { action: 'supply', wallet: emil, token: weth, subId: firstOfV1, amountRaw: WAD },
      { action: 'supply', wallet: emil, token: frax, subId: firstOfV2, amountRaw: WAD },
      ...flows,
      ...liquidations,
    ]);
    // 500 and 900 shares, with interest of an hour.
    const shares = repaid.map((amount) => Number(amount) / 1e18);
    expect(shares[0]).toBeCloseTo(500, 2);
    expect(shares[1]).toBeCloseTo(500, 2);
    expect(shares[2]).toBeCloseTo(900, 2);
    expect(shares[3]).toBeCloseTo(900, 2);
  });

  it('the asset has the price of an oracle of the chain, and collateral without one has none', () => {
    const prices = [frax, weth].map((token) => reading.tokens.get(token)?.usdRaw);
    expect(prices).toEqual([998_765_430_000_000_000n, null]);
  });

  it('logs name the wallets that open a position, and a pair that keeps collateral', async () => {
    const reader = makeReader();
    const market = reader.readMarket(before);
    await market;
    const touched = await reader.readTouchedWallets(before.number + 1n, after.number, market);
    expect(touched).toEqual({ opened: expect.arrayContaining([emil, firstOfV2]) });
    expect(touched).toMatchObject({ opened: { length: 2 } });
  });

  it('any wallet may have opened a position in a pair that is added in these blocks', () => {
    expect(reading.touched).toBe('all');
  });

  it('each pair is a separate position; lent tokens secure nothing', () => {
    const shown = ({ positions, unreadable }: PositionsRead) => {
      expect(unreadable).toEqual([]);
      return positions.map(({ wallet, subId, legs }) => [
        wallet,
        subId,
        legs.map(({ symbol, side, usedAsCollateral }) => [symbol, side, usedAsCollateral]),
      ]);
    };
    const [secured, lent, owed] = [
      ['WETH', 'collateral', true],
      ['FRAX', 'collateral', false],
      ['FRAX', 'debt', false],
    ];
    const pairs = [firstOfV1, firstOfV2];
    expect(shown(reading.after)).toEqual([
      ...later.map((pair) => [anna, pair, [secured, lent, owed]]),
      ...pairs.map((pair) => [carl, pair, [secured, owed]]),
      [emil, firstOfV1, [secured]],
      [emil, firstOfV2, [lent]],
      ...pairs.map((pair) => [lender, pair, [lent]]),
      // It keeps a tenth of the collateral of a liquidation.
      [firstOfV2, firstOfV2, [secured]],
    ]);
    expect(new Set(reading.after.positions.map(({ usdPerBaseRaw }) => usdPerBaseRaw))).toEqual(
      new Set([998_765_430_000_000_000n]),
    );
    const before = shown(reading.before).filter(([wallet]) => wallet === dora);
    expect(before).toEqual(pairs.map((pair) => [dora, pair, [secured, owed]]));
  });

  it('interest alone changes no principal', () => {
    const principals = ({ positions }: PositionsRead) =>
      positions
        .filter(({ wallet }) => wallet === carl)
        .map(({ legs }) => legs.map(({ scaledRaw }) => scaledRaw));
    expect(principals(reading.after)).toEqual(principals(reading.before));
    const debtOf = ({ positions }: PositionsRead) =>
      positions.find(({ wallet }) => wallet === carl)!.totalDebtRaw;
    expect(debtOf(reading.after)).toBeGreaterThan(debtOf(reading.before));
  });

  it('its totals are those of all positions, after bad debt was divided among the lenders', () => {
    expectTotalsOf(reading.totals, reading.after.positions);
  });
});
