import { legsUsd } from '../../test/expect-totals';
import { openActivity } from '../../test/open-activity';
import { expectRead } from '../../test/play-moves';
import type { ActivityReading } from '../activity/recorded-activity';
import type { PositionsRead } from '../reader/protocol-reader';

const WAD = 10n ** 18n;

describe('liquity-v2', () => {
  const { named, amounts, read } = openActivity('liquity-v2/liquity-v2');
  const [anna, ben, dora, emil, lender] = named('anna', 'ben', 'dora', 'emil', 'lender');
  const [liquidator, weth, wsteth, bold] = named('liquidator', 'weth', 'wsteth', 'bold');
  const [annasTrove, bensTrove, bensOther] = named('annasTrove', 'bensTrove', 'bensOtherTrove');
  const [dorasTrove, emilsTrove] = named('dorasTrove', 'emilsTrove');
  let reading: ActivityReading;
  beforeAll(async () => {
    reading = await read();
  });

  it('every action belongs to the current owner of the trove; redemptions and redistributions have no wallet', () => {
    // With interest of some minutes, a fee, redemptions and redistributions: what getLatestTroveData stated.
    const [liquidated, given, repaid, returned] = amounts('liquidated', 'given', 'repaid', 'returned');
    const debt = (wallet: typeof anna, trove: string) => ({ wallet, token: bold, subId: `1:${trove}` });
    const ether = (wallet: typeof anna, trove: string) => ({ ...debt(wallet, trove), token: wsteth });
    expectRead(reading.read.activities, reading.readByBlock, [
      { ...ether(anna, annasTrove), action: 'supply', amountRaw: 9n * WAD },
      { ...debt(anna, annasTrove), action: 'borrow', amountRaw: 4_000n * WAD },
      { ...debt(anna, annasTrove), action: 'repay', amountRaw: 500n * WAD },
      { ...ether(anna, annasTrove), action: 'withdraw', amountRaw: WAD },
      { wallet: dora, token: weth, subId: `0:${dorasTrove}`, action: 'supply', amountRaw: 3n * WAD },
      { wallet: dora, token: bold, subId: `0:${dorasTrove}`, action: 'borrow', amountRaw: 2_500n * WAD },
      { ...ether(emil, emilsTrove), action: 'supply', amountRaw: 4n * WAD },
      { ...debt(emil, emilsTrove), action: 'borrow', amountRaw: 2_200n * WAD },
      { ...debt(ben, bensOther), action: 'liquidation', counterparty: liquidator, amountRaw: liquidated },
      { ...ether(ben, bensTrove), action: 'supply', amountRaw: 2n * WAD },
      { ...ether(anna, annasTrove), action: 'transfer', counterparty: ben, amountRaw: given },
      { ...debt(ben, annasTrove), action: 'borrow', amountRaw: 100n * WAD },
      { ...debt(ben, bensTrove), action: 'repay', amountRaw: repaid },
      { ...ether(ben, bensTrove), action: 'withdraw', amountRaw: returned },
    ]);
  });

  it('a token has the price of its branch, and BOLD is a dollar as in its contracts', () => {
    const prices = [weth, wsteth, bold].map((token) => reading.tokens.get(token)?.usdRaw);
    expect(prices).toEqual([2_500n * WAD, 2_300n * WAD, WAD]);
  });

  it('a trove belongs to the wallet that received its NFT, and a closed or liquidated one to none', () => {
    const trovesOf = ({ positions, unreadable }: PositionsRead) => {
      expect(unreadable).toEqual([]);
      return positions.map(({ wallet, subId }) => `${wallet} ${subId}`);
    };
    const lenders = (read: PositionsRead) => trovesOf(read).filter((trove) => trove.startsWith(lender));
    expect(lenders(reading.before)).toHaveLength(2);
    expect(trovesOf(reading.before).toSorted()).toEqual(
      [...lenders(reading.before), `${ben} 1:${bensTrove}`, `${ben} 1:${bensOther}`].toSorted(),
    );
    expect(trovesOf(reading.after).toSorted()).toEqual(
      [
        ...lenders(reading.before),
        `${ben} 1:${annasTrove}`,
        `${dora} 0:${dorasTrove}`,
        `${emil} 1:${emilsTrove}`,
      ].toSorted(),
    );
  });

  it('troves of a branch whose price feed the row does not name are approximate', () => {
    const approximate = reading.after.positions.map(
      ({ subId, verification }) => [subId[0], verification === 'approximate'] as const,
    );
    expect(approximate.every(([branch, isApproximate]) => isApproximate === (branch === '1'))).toBe(true);
    expect(new Set(approximate.map(([branch]) => branch))).toEqual(new Set(['0', '1']));
  });

  it('its totals are those of all troves, at the market price of BOLD that debts state too', () => {
    const { positions } = reading.after;
    const prices = positions.flatMap(({ legs }) =>
      legs.flatMap(({ side, marketUsdRaw }) => (side === 'debt' ? [marketUsdRaw] : [])),
    );
    expect(new Set(prices)).toEqual(new Set([(993n * WAD) / 1_000n]));
    const { suppliedUsd, borrowedUsd } = reading.totals!;
    expect(suppliedUsd / legsUsd(positions, 'collateral')).toBeCloseTo(1, 9);
    expect(borrowedUsd / legsUsd(positions, 'debt')).toBeCloseTo(0.993, 6);
  });
});
