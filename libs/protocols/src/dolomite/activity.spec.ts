import type { Address } from 'viem';
import { expectTotalsOf } from '../../test/expect-totals';
import { openActivity } from '../../test/open-activity';
import { expectRead } from '../../test/play-moves';
import type { ActivityReading } from '../activity/recorded-activity';
import type { PositionsRead } from '../reader/protocol-reader';

const WAD = 10n ** 18n;
const USDC = 10n ** 6n;

describe('dolomite', () => {
  const { named, wallets, read } = openActivity('dolomite/dolomite');
  const [anna, ben, carl, lender, liquidator] = named('anna', 'ben', 'carl', 'lender', 'liquidator');
  const [nobody, weth, usdc, dai] = named('nobody', 'weth', 'usdc', 'dai');
  let reading: ActivityReading;
  beforeAll(async () => {
    reading = await read();
  });

  it('every action is found once, also in a market that is added later; changes of debt are distinguished from changes of supply', () => {
    const of = (subId: string, token: Address) => ({ wallet: anna, token, subId });
    expectRead(reading.read.activities, reading.readByBlock, [
      { ...of('0', weth), action: 'supply', amountRaw: 10n * WAD },
      // Collateral for another borrowing account of the same wallet is no action: the owner does not change.
      { ...of('100', usdc), action: 'borrow', amountRaw: 500n * USDC },
      { ...of('0', usdc), action: 'withdraw', counterparty: ben, amountRaw: 500n * USDC },
      { ...of('100', usdc), action: 'borrow', amountRaw: 200n * USDC },
      { ...of('100', usdc), action: 'repay', amountRaw: 300n * USDC },
      { ...of('0', weth), action: 'transfer', counterparty: ben, amountRaw: WAD },
      // Collateral sold for the debt, more bought than the balance pays, and debt that is traded with another wallet.
      { ...of('100', weth), action: 'withdraw', amountRaw: WAD },
      { ...of('100', usdc), action: 'repay', amountRaw: 150n * USDC },
      { ...of('0', usdc), action: 'borrow', amountRaw: 400n * USDC },
      { ...of('0', weth), action: 'supply', amountRaw: WAD / 2n },
      { ...of('0', usdc), action: 'repay', amountRaw: 100n * USDC },
      { ...of('0', weth), action: 'withdraw', amountRaw: WAD / 4n },
      { ...of('0', usdc), wallet: ben, action: 'borrow', amountRaw: 100n * USDC },
      { ...of('0', weth), wallet: ben, action: 'supply', amountRaw: WAD / 4n },
      { ...of('7', dai), wallet: lender, action: 'supply', amountRaw: 90n * WAD },
      {
        ...of('0', usdc),
        wallet: carl,
        action: 'liquidation',
        counterparty: liquidator,
        amountRaw: 1_000n * USDC,
      },
    ]);
    const prices = [weth, usdc, dai].map((token) => reading.tokens.get(token)?.usdRaw);
    expect(prices).toEqual([2_000n * WAD, WAD, WAD]);
  });

  it('each account is a separate position; a wallet without an account has none', () => {
    const { positions, unreadable } = reading.after;
    expect(unreadable).toEqual([]);
    expect(positions.map(({ wallet, subId }) => [wallet, subId])).toEqual([
      [anna, '0'],
      [anna, '100'],
      [ben, '0'],
      [carl, '0'],
      [lender, '0'],
      [lender, '7'],
      [liquidator, '0'],
    ]);
    expect(wallets).toContain(nobody);
  });

  it('its totals are those of all accounts', () => {
    expectTotalsOf(reading.totals, reading.after.positions);
  });

  it('interest alone changes no principal', () => {
    const legsOf = ({ positions }: PositionsRead) =>
      positions.find(({ wallet, subId }) => wallet === lender && subId === '0')!.legs;
    const [before, after] = [legsOf(reading.before), legsOf(reading.after)];
    expect(after.map(({ scaledRaw }) => scaledRaw)).toEqual(before.map(({ scaledRaw }) => scaledRaw));
    // USDC is borrowed, WETH is not.
    const grown = after.filter(({ amountRaw }, at) => amountRaw > before[at]!.amountRaw);
    expect(grown.map(({ address }) => address)).toEqual([usdc]);
  });
});
