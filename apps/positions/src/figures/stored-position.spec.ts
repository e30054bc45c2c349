import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PositionV1 } from '@plimsoll/contracts';
import { storedPosition } from './stored-position';
import { totalsInUsd } from '../amounts/totals-in-usd';
import { toUsd } from '../amounts/units';

const FIXTURES = join(__dirname, '../../../../libs/contracts/src/events/fixtures');
const fixture = (name: string): PositionV1 =>
  JSON.parse(readFileSync(join(FIXTURES, `${name}.json`), 'utf8')) as PositionV1;
const inUsd = (event: PositionV1): number[] => {
  const position = storedPosition(event);
  return [
    toUsd(position.totalCollateralRaw, position.priceDecimals, position),
    toUsd(position.totalDebtRaw, position.priceDecimals, position),
  ];
};

describe('storedPosition', () => {
  it("has the base currency's rate and the flags of its event, exactly", () => {
    const event = fixture('position.v1+base-currency');
    expect(storedPosition(event)).toMatchObject({
      usdPerBaseRaw: 3_000n * 10n ** 18n,
      flags: ['soft_liquidation'],
    });
    expect(inUsd(event)).toEqual([24_000, 15_000]);
  });

  it('has the market prices of its event', () => {
    const event = fixture('position.v1+market-price');
    const [, debt] = storedPosition(event).legs;
    expect(debt!.marketUsdRaw).toBe(995n * 10n ** 15n);
    expect(totalsInUsd([storedPosition(event)]).totalDebtUsd).toBe(event.totalDebtUsd);
  });

  it('has the proxy of its event', () => {
    const event = fixture('position.v1+proxy');
    expect(storedPosition(event).proxy).toEqual(event.proxy);
  });

  it('states where the health factor comes from if its event does', () => {
    expect(storedPosition(fixture('position.v1+verification')).verification).toBe('contract');
    expect(storedPosition(fixture('position.v1')).verification).toBeNull();
  });

  it('derives the rate of an event without one from its totals', () => {
    const { usdPerBaseRaw: _unsaid, flags: _none, ...event } = fixture('position.v1+base-currency');
    expect(storedPosition(event)).toMatchObject({ usdPerBaseRaw: 3_000n * 10n ** 18n, flags: [] });
    expect(storedPosition(fixture('position.v1')).usdPerBaseRaw).toBe(10n ** 18n);
  });
});
