import type { Address } from 'viem';
import { legsUsd } from '../../test/expect-totals';
import { openActivity } from '../../test/open-activity';
import { expectRead, type ExpectedMove } from '../../test/play-moves';
import type { ActivityReading } from '../activity/recorded-activity';

const WAD = 10n ** 18n;
const BTC = 10n ** 8n;

/** Where anna acts, and where carl and dora had a loan before. */
function movesIn(
  names: Record<'anna' | 'carl' | 'dora' | 'liquidator' | 'wbtc' | 'crvusd', Address>,
  [opened, older]: readonly [Address, Address],
  [liquidated, closed]: readonly [bigint, bigint],
  /** The wallet that pays for another. Only controllers of the second factory name it. */
  payer: Address | null,
): ExpectedMove[] {
  const { anna, carl, dora, liquidator, wbtc, crvusd } = names;
  const held = { wallet: anna, token: wbtc, subId: opened };
  const owed = { wallet: anna, token: crvusd, subId: opened };
  return [
    { ...held, action: 'supply', amountRaw: 7n * BTC },
    { ...owed, action: 'borrow', amountRaw: 300_000n * WAD },
    { ...held, action: 'supply', counterparty: payer, amountRaw: 30n },
    { ...owed, action: 'borrow', amountRaw: WAD },
    { ...held, action: 'supply', amountRaw: 700n },
    { ...owed, action: 'borrow', amountRaw: 9n * WAD },
    { ...held, action: 'withdraw', amountRaw: 5n },
    { ...owed, action: 'repay', counterparty: payer, amountRaw: 1_000n * WAD },
    { ...held, action: 'supply', counterparty: payer, amountRaw: 60n },
    { ...owed, action: 'borrow', amountRaw: 3n * WAD },
    // A wallet that the borrower permits to act receives nothing.
    ...(payer ? [{ ...held, action: 'withdraw', amountRaw: 7n } as const] : []),
    {
      action: 'liquidation',
      wallet: carl,
      counterparty: liquidator,
      token: crvusd,
      subId: older,
      amountRaw: liquidated,
    },
    { action: 'repay', wallet: dora, token: crvusd, subId: older, amountRaw: closed },
    { action: 'withdraw', wallet: dora, token: wbtc, subId: older, amountRaw: 2n * BTC },
  ];
}

describe.each(['llamma-mint', 'llamma', 'llamma-second'] as const)('%s', (family) => {
  const { named, amounts, read, makeReader, after } = openActivity(`${family}/${family}`);
  const [anna, ben, carl, dora, lender] = named('anna', 'ben', 'carl', 'dora', 'lender');
  const [liquidator, wbtc, crvusd] = named('liquidator', 'wbtc', 'crvusd');
  const isMint = family === 'llamma-mint';
  const markets = isMint ? named('controller', 'controller') : named('later', 'first');
  const market = isMint ? '' : markets[0];
  let reading: ActivityReading;
  beforeAll(async () => {
    reading = await read();
  });

  it('every action is found once, also in a market that is created later; a liquidation is no repayment too', () => {
    const names = { anna, carl, dora, liquidator, wbtc, crvusd };
    const payer = family === 'llamma-second' ? ben : null;
    const moves = movesIn(
      names,
      markets as readonly [Address, Address],
      amounts('liquidated', 'closed'),
      payer,
    );
    expectRead(reading.read.activities, reading.readByBlock, moves);
  });

  it('logs name whom a borrower permits to act', () => {
    expect(reading.read.permissions).toMatchObject([
      { wallet: anna, delegate: ben, isGranted: true },
      { wallet: anna, delegate: ben, isGranted: false },
    ]);
  });

  it('the lent token is a dollar in mint markets only, and collateral has the price of their AMM', () => {
    const prices = [crvusd, wbtc].map((token) => reading.tokens.get(token)?.usdRaw);
    expect(prices).toEqual(isMint ? [WAD, 76_000n * WAD] : [(997n * WAD) / 1_000n, null]);
  });

  it('a loan is a position in its market, and a closed or liquidated one is none', () => {
    const shown = ({ positions, unreadable }: ActivityReading['after']) => {
      expect(unreadable).toEqual([]);
      return positions.map(({ wallet, subId }) => [wallet, subId]);
    };
    const [older, lenders] = [isMint ? '' : markets[1], isMint ? [[lender, '']] : []];
    expect(shown(reading.before)).toEqual([[carl, older], [dora, older], ...lenders]);
    expect(shown(reading.after)).toEqual([[anna, market], ...lenders]);
    expect(new Set(reading.after.positions.map(({ usdPerBaseRaw }) => usdPerBaseRaw))).toEqual(
      new Set([isMint ? WAD : (997n * WAD) / 1_000n]),
    );
  });

  it('its totals are those of all loans, with the tokens that are lent', () => {
    const { positions } = reading.after;
    const [secured, debt] = [legsUsd(positions, 'collateral'), legsUsd(positions, 'debt')];
    const { suppliedUsd, borrowedUsd } = reading.totals!;
    // A mint market counts its debt at the market price of crvUSD.
    expect(borrowedUsd / debt).toBeCloseTo(isMint ? 0.997 : 1, 6);
    const lent = isMint ? 0 : 2_000_000 * 0.997;
    expect((suppliedUsd - lent) / secured).toBeCloseTo(1, 4);
  });

  if (!isMint)
    it('without a dollar price of the lent token it has no totals', async () => {
      const reader = makeReader([]);
      await reader.readMarket(after);
      expect(await reader.readTotals(after)).toBeNull();
    });
});

it('logs of a mint market name the wallet that opens a loan', async () => {
  const { named, read } = openActivity('llamma-mint/llamma-mint');
  const [anna] = named('anna');
  expect((await read()).touched).toEqual({ opened: [anna] });
});

it.each(['llamma', 'llamma-second'])(
  'any wallet may have opened a loan in a market of %s that is created',
  async (family) => {
    expect((await openActivity(`${family}/${family}`).read()).touched).toBe('all');
  },
);
