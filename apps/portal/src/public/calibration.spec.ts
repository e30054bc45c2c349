import type { components } from '@plimsoll/sdk';
import { calibrationOf } from './calibration';

type Group = components['schemas']['TrackRecordGroup'];

const group = (over: Partial<Group>): Group => ({
  protocol: 'aave-v3',
  asset: 'ETH',
  horizonDays: 7,
  band: 'high',
  modelVersion: '2',
  n: 0,
  censored: 0,
  pending: 0,
  brier: null,
  logScore: null,
  ece: null,
  expectedEce: null,
  meanForecast: null,
  observedRate: null,
  standardError: null,
  observedRateLowest: null,
  observedRateHighest: null,
  meanForecastCensored: null,
  ...over,
});

describe('the calibration by band', () => {
  it('weighs groups by their forecasts, and their range by those that are closed', () => {
    const rows = calibrationOf(
      [
        group({
          n: 30,
          censored: 10,
          pending: 5,
          meanForecast: 0.1,
          observedRate: 0.2,
          observedRateLowest: 0.15,
          observedRateHighest: 0.4,
        }),
        group({
          asset: 'BTC',
          n: 10,
          meanForecast: 0.3,
          observedRate: 0,
          observedRateLowest: 0,
          observedRateHighest: 0,
        }),
        group({ band: 'critical', pending: 2 }),
      ],
      7,
      '2',
    );
    expect(rows.map(({ band }) => band)).toEqual(['critical', 'high']);
    expect(rows[0]).toMatchObject({ n: 0, pending: 2, meanForecast: null, observedRate: null, lowest: null });
    expect(rows[1]).toMatchObject({ n: 40, censored: 10, pending: 5 });
    expect(rows[1]?.meanForecast).toBeCloseTo(0.15, 12);
    expect(rows[1]?.observedRate).toBeCloseTo(0.15, 12);
    expect(rows[1]?.lowest).toBeCloseTo(0.12, 12);
    expect(rows[1]?.highest).toBeCloseTo(0.32, 12);
  });

  it('has no other horizon, and no other version of the model', () => {
    const others = [group({ horizonDays: 1, n: 5 }), group({ modelVersion: '1', n: 5 })];
    expect(calibrationOf(others, 7, '2')).toEqual([]);
  });
});
