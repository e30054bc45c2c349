import type { Address } from 'viem';
import { expectTotalsOf } from '../../test/expect-totals';
import { openActivity } from '../../test/open-activity';
import { expectRead } from '../../test/play-moves';
import type { ActivityReading } from '../activity/recorded-activity';
import type { PositionsRead } from '../reader/protocol-reader';

const WAD = 10n ** 18n;
const BTC = 10n ** 8n;

describe('maker', () => {
  const { named, read } = openActivity('maker/maker');
  const [anna, ben, dora, liquidator] = named('anna', 'ben', 'dora', 'liquidator');
  const [wbtc, mkr, dai, usds, annasUrn, bensUrn] = named(
    'wbtc',
    'mkr',
    'dai',
    'usds',
    'annasUrn',
    'bensUrn',
  );
  let reading: ActivityReading;
  beforeAll(async () => {
    reading = await read();
  });
  const positionOf = (wallet: Address, id: string) =>
    reading.after.positions.find((each) => each.wallet === wallet && each.subId === id)!;

  it("every action belongs to the owner of the vault or urn, or of its proxy; an auction's refund is a supply", () => {
    const of = (wallet: Address, subId: string, token: Address) => ({ wallet, subId, token });
    const refund = positionOf(anna, annasUrn).legs[0]!.amountRaw;
    // The urn of the vat that carl has without a vault is no vault of his.
    expectRead(reading.read.activities, reading.readByBlock, [
      { ...of(anna, '1', wbtc), action: 'supply', amountRaw: 9n * BTC },
      { ...of(anna, '1', dai), action: 'borrow', amountRaw: 1_100n * WAD },
      { ...of(ben, '3', wbtc), action: 'supply', amountRaw: BTC },
      { ...of(anna, '1', dai), action: 'repay', amountRaw: 550n * WAD },
      { ...of(anna, '1', wbtc), action: 'withdraw', amountRaw: 2n * BTC },
      { ...of(anna, '1', wbtc), action: 'transfer', counterparty: ben, amountRaw: 7n * BTC },
      { ...of(anna, '1', wbtc), action: 'supply', amountRaw: 3n * BTC },
      { ...of(anna, annasUrn, mkr), action: 'supply', amountRaw: 90n * WAD },
      { ...of(anna, annasUrn, usds), action: 'borrow', amountRaw: 60_000n * WAD },
      { ...of(ben, bensUrn, mkr), action: 'supply', amountRaw: 10n * WAD },
      { ...of(anna, annasUrn, usds), action: 'repay', amountRaw: 600n * WAD },
      { ...of(anna, annasUrn, mkr), action: 'withdraw', amountRaw: WAD },
      { ...of(ben, '1', dai), action: 'borrow', amountRaw: (11n * WAD) / 10n },
      { ...of(dora, '2', dai), action: 'liquidation', amountRaw: 110_000n * WAD },
      { ...of(anna, annasUrn, usds), action: 'liquidation', amountRaw: 59_400n * WAD },
      { ...of(anna, annasUrn, mkr), action: 'supply', amountRaw: refund },
    ]);
    expect(refund).toBeGreaterThan(0n);
    expect(refund).toBeLessThan(89n * WAD);
  });

  it('collateral has the price of the spotter, and the lent tokens are a dollar as in the vat', () => {
    const prices = [wbtc, mkr, dai, usds].map((token) => reading.tokens.get(token)?.usdRaw);
    expect(prices).toEqual([21_000n * WAD, 1_200n * WAD, WAD, WAD]);
  });

  it('a vault belongs to the wallet that received it, and a liquidated one to none', () => {
    const shown = ({ positions, unreadable }: PositionsRead) => {
      expect(unreadable).toEqual([]);
      return positions.map(({ wallet, subId }) => `${wallet} ${subId}`).toSorted();
    };
    const [carl] = named('carl');
    const raw = `${carl} WBTC-A:${carl}`;
    expect(shown(reading.before)).toEqual([`${dora} 2`]);
    expect(shown(reading.after)).toEqual(
      [`${anna} ${annasUrn}`, `${ben} 1`, `${ben} 3`, `${ben} ${bensUrn}`, raw].toSorted(),
    );
    const [urnsProxy] = named('bensProxy');
    expect(positionOf(ben, bensUrn).proxy).toEqual({ kind: 'ds-proxy', address: urnsProxy });
    expect(positionOf(ben, '1').proxy).toBeUndefined();
    expect(liquidator).not.toBe(ben);
  });

  it('its totals are those of all vaults and urns of the ilks that the registry lists', () => {
    expectTotalsOf(reading.totals, reading.after.positions);
  });
});
