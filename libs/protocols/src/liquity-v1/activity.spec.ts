import { zeroAddress } from 'viem';
import { legsUsd } from '../../test/expect-totals';
import { openActivity } from '../../test/open-activity';
import { expectRead } from '../../test/play-moves';
import type { ActivityReading } from '../activity/recorded-activity';

const WAD = 10n ** 18n;

describe.each(['liquity-v1', 'liquity-v1-one-block'])('%s', (name) => {
  const { named, read } = openActivity(`liquity-v1/${name}`);
  const [anna, ben, carl, dora] = named('anna', 'ben', 'carl', 'dora');
  const [lender, liquidator, lusd] = named('lender', 'liquidator', 'lusd');
  let reading: ActivityReading;
  beforeAll(async () => {
    reading = await read();
  });

  it('every action equals the change of the trove, without fee, reserve, redemptions and redistributions', () => {
    const ether = { token: zeroAddress };
    const debt = { token: lusd };
    const liquidation = { ...debt, action: 'liquidation', counterparty: liquidator } as const;
    // The debt of carl is divided among 5,150 ether of other troves; half a percent of his ether goes to the liquidator.
    const debtFor = (stake: bigint) => stake * ((20_300n * WAD) / 5_150n);
    const etherFor = (stake: bigint) => stake * ((9_950n * WAD) / 5_150_000n);
    const redeemed = (500n * WAD) / 2_200n;
    expectRead(reading.read.activities, reading.readByBlock, [
      { ...ether, wallet: dora, action: 'supply', amountRaw: 100n * WAD },
      { ...debt, wallet: dora, action: 'borrow', amountRaw: 10_000n * WAD },
      { ...ether, wallet: anna, action: 'supply', amountRaw: 10n * WAD },
      { ...debt, wallet: anna, action: 'borrow', amountRaw: 8_000n * WAD },
      { ...liquidation, wallet: carl, amountRaw: 20_300n * WAD },
      { ...debt, wallet: anna, action: 'borrow', amountRaw: 1_000n * WAD },
      { ...ether, wallet: anna, action: 'withdraw', amountRaw: 2n * WAD },
      { ...ether, wallet: ben, action: 'supply', amountRaw: 3n * WAD },
      { ...debt, wallet: ben, action: 'repay', amountRaw: 5_000n * WAD },
      // 9,000 borrowed with a fee of half a percent, of which 500 were redeemed.
      { ...debt, wallet: anna, action: 'repay', amountRaw: 8_545n * WAD + debtFor(10n) },
      { ...ether, wallet: anna, action: 'withdraw', amountRaw: 8n * WAD + etherFor(10n) - redeemed },
      { ...liquidation, wallet: ben, amountRaw: 25_350n * WAD + debtFor(40n) },
    ]);
  });

  it('ether has the price of the protocol, and LUSD is a dollar as in its contracts', () => {
    const prices = [zeroAddress, lusd].map((token) => reading.tokens.get(token)?.usdRaw);
    expect(prices).toEqual([600n * WAD, WAD]);
  });

  it('logs name the wallets that open or adjust a trove, and no others', () => {
    expect(reading.touched).toEqual({ opened: [dora, anna, ben] });
  });

  it('a closed or liquidated trove is no position', () => {
    const walletsOf = ({ positions, unreadable }: ActivityReading['after']) => {
      expect(unreadable).toEqual([]);
      return positions.map(({ wallet }) => wallet);
    };
    expect(walletsOf(reading.before)).toEqual([ben, carl, lender]);
    expect(walletsOf(reading.after)).toEqual([dora, lender]);
  });

  it('its totals are those of all troves, at the market price of LUSD that debts state too', () => {
    const { positions } = reading.after;
    const prices = positions
      .flatMap(({ legs }) => legs)
      .filter(({ side }) => side === 'debt')
      .map(({ priceRaw, marketUsdRaw }) => ({ priceRaw, marketUsdRaw }));
    const market = { priceRaw: WAD, marketUsdRaw: (991n * WAD) / 1_000n };
    expect(prices).toEqual([market, market]);
    const { suppliedUsd, borrowedUsd } = reading.totals!;
    expect(suppliedUsd / legsUsd(positions, 'collateral')).toBeCloseTo(1, 9);
    expect(borrowedUsd / legsUsd(positions, 'debt')).toBeCloseTo(0.991, 9);
  });
});
