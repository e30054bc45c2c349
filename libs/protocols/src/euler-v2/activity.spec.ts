import { amountsUsd } from '../../test/expect-totals';
import { openActivity } from '../../test/open-activity';
import { expectRead } from '../../test/play-moves';
import type { ActivityReading } from '../activity/recorded-activity';
import type { PositionsRead } from '../reader/protocol-reader';
import { isReadable, type RawPosition } from '../reader/raw-position';

const WAD = 10n ** 18n;
const USDC = 10n ** 6n;

describe('euler-v2', () => {
  const { named, wallets, read, makeReader, before, after } = openActivity('euler-v2/euler-v2');
  const [anna, ben, carl, dora, emil, finn] = named('anna', 'ben', 'carl', 'dora', 'emil', 'finn');
  const [gwen, lender, liquidator, neighbour] = named('gwen', 'lender', 'liquidator', 'neighbour');
  const [weth, usdc, junk] = named('weth', 'usdc', 'junk');
  let reading: ActivityReading;
  beforeAll(async () => {
    reading = await read();
  });
  const of = ({ positions }: PositionsRead, wallet: string): RawPosition[] =>
    positions.filter((position) => position.wallet === wallet);

  it('every action of a sub-account belongs to its owner, also in a vault that is created later', () => {
    const own = { wallet: anna, subId: '03' } as const;
    const liquidated = { action: 'liquidation', counterparty: liquidator, token: usdc } as const;
    // Debt that anna moves between her own accounts is no action, nor is a deposit in a vault of another factory.
    expectRead(reading.read.activities, reading.readByBlock, [
      { wallet: anna, subId: '00', action: 'supply', token: usdc, amountRaw: 50n * USDC },
      { ...own, action: 'supply', token: weth, amountRaw: 9n * WAD },
      { wallet: ben, subId: '00', action: 'supply', token: weth, amountRaw: 5n },
      { wallet: emil, subId: '07', action: 'supply', token: junk, amountRaw: 7n },
      { ...own, action: 'withdraw', counterparty: ben, token: weth, amountRaw: 2n },
      { ...own, action: 'borrow', token: usdc, amountRaw: 7_000n * USDC },
      { ...own, action: 'repay', token: usdc, amountRaw: 1_000n * USDC },
      { ...own, action: 'transfer', counterparty: liquidator, token: usdc, amountRaw: 300n * USDC },
      { ...own, ...liquidated, amountRaw: 400n * USDC },
      // 85 % of five ether at 300. The rest of the debt is divided among the lenders.
      { ...liquidated, wallet: gwen, subId: '00', amountRaw: 1_275n * USDC },
    ]);
  });

  it('a token has the price of an oracle of the chain, or none', () => {
    const prices = [usdc, weth, junk].map((token) => reading.tokens.get(token)?.usdRaw);
    expect(prices).toEqual([WAD, 2_500n * WAD, null]);
  });

  it('its totals are those of all accounts at the chain’s prices; a vault of a token without one counts as zero', () => {
    const usd = { WETH: 2_500, USDC: 1 };
    const { positions } = reading.after;
    expect(reading.totals!.suppliedUsd / amountsUsd(positions, 'collateral', usd)).toBeCloseTo(1, 6);
    expect(reading.totals!.borrowedUsd / amountsUsd(positions, 'debt', usd)).toBeCloseTo(1, 6);
  });

  it('shares of a vault that is created after the reader started are found, although no account enabled it', async () => {
    const supplied = (read: PositionsRead): string[] =>
      of(read, anna)[0]!.legs.flatMap(({ side, symbol }) => (side === 'collateral' ? [symbol] : []));
    expect(supplied(reading.before)).toEqual(['WETH']);
    expect(supplied(reading.after)).toEqual(['WETH', 'USDC']);
    // An account that needs another vault renews the layout before a market shows that the list grew.
    const reader = makeReader();
    await reader.readPositions([carl], before);
    await reader.readPositions([gwen, finn], after);
    expect(supplied(await reader.readPositions([anna], after))).toEqual(['WETH', 'USDC']);
  });

  it('each sub-account is a separate position; another address of the same 256 has none of them', () => {
    expect(reading.after.unreadable).toEqual([]);
    expect(reading.after.positions.map(({ wallet, subId }) => [wallet, subId])).toEqual([
      [anna, '0'],
      [anna, '3'],
      [ben, '0'],
      [carl, '0'],
      [dora, '1'],
      [emil, '0'],
      [emil, '7'],
      [finn, '0'],
      [lender, '0'],
      [liquidator, '3'],
    ]);
    expect(wallets).toContain(neighbour);
    expect(of(reading.before, gwen)).toHaveLength(1);
    expect(of(reading.before, neighbour)).toEqual([]);
  });

  it('shares without an LTV are a leg that secures nothing, also when they are enabled as collateral', () => {
    const [position] = of(reading.after, finn);
    const secures = position!.legs.map(({ symbol, usedAsCollateral }) => [symbol, usedAsCollateral]);
    expect(secures).toEqual([
      ['WETH', true],
      ['JUNK', false],
      ['USDC', false],
    ]);
    expect(position!.totalCollateralRaw).toBe(300n * WAD);
  });

  it('shares of an account without a controller are a position', () => {
    expect(of(reading.after, carl)).toMatchObject([
      {
        subId: '0',
        totalCollateralRaw: 0n,
        totalDebtRaw: 0n,
        healthFactorRaw: null,
        usdPerBaseRaw: WAD,
        legs: [{ symbol: 'WETH', scaledRaw: 2n * WAD, priceRaw: 2_500n * WAD, usedAsCollateral: false }],
      },
    ]);
  });

  it('shares that are not enabled as collateral change no figure of a loan', () => {
    expect(of(reading.after, dora)).toMatchObject([
      {
        totalCollateralRaw: 300n * WAD,
        usdPerBaseRaw: WAD,
        legs: [
          { symbol: 'WETH', usedAsCollateral: true },
          { symbol: 'USDC', side: 'debt' },
          { symbol: 'JUNK', priceRaw: 0n, usedAsCollateral: false },
        ],
      },
    ]);
  });

  it('shares without a price make only their own sub-account unreadable', () => {
    const readable = of(reading.after, emil).map((position) => [position.subId, isReadable(position)]);
    expect(readable).toEqual([
      ['0', true],
      ['7', false],
    ]);
  });

  it('interest alone changes no principal, and a debt without one grows by its interest', () => {
    const [before, after] = [of(reading.before, dora)[0]!.legs, of(reading.after, dora)[0]!.legs];
    const debt = ({ side }: { side: string }): boolean => side === 'debt';
    const others = (legs: typeof before): bigint[] =>
      legs.filter((leg) => !debt(leg)).map(({ scaledRaw }) => scaledRaw);
    expect(others(after)).toEqual(others(before));
    const [from, to] = [before.find(debt)!, after.find(debt)!];
    expect(to.scaledGrows).toBe(true);
    // An hour at about 4.8 % a year.
    expect(Number(to.scaledRaw - from.scaledRaw) / Number(from.scaledRaw)).toBeCloseTo(0.048 / 8_760, 6);
    expect(to.scaledRaw).toBeGreaterThan(from.scaledRaw);
  });
});
