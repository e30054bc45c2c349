import { type RecordCell, scoresOf } from './scores';

const cell = (probability: number, happened: boolean | null, over: Partial<RecordCell> = {}): RecordCell => ({
  forecasts: happened === null ? 0 : 1,
  events: happened ? 1 : 0,
  sumProbability: happened === null ? 0 : probability,
  sumVariance: happened === null ? 0 : probability * (1 - probability),
  sumSquaredError: happened === null ? 0 : (probability - (happened ? 1 : 0)) ** 2,
  sumLogScore: happened === null ? 0 : -Math.log(happened ? probability : 1 - probability),
  censored: 0,
  sumCensored: 0,
  pending: happened === null ? 1 : 0,
  ...over,
});

describe('scoresOf', () => {
  it('has no scores without an outcome', () => {
    expect(scoresOf([cell(0.1, null)], [])).toEqual({
      n: 0,
      censored: 0,
      pending: 1,
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
    });
  });

  it('adds the sums of cells', () => {
    const scores = scoresOf([cell(0.5, true), cell(0.1, false)], []);
    expect(scores.brier).toBeCloseTo((0.25 + 0.01) / 2, 12);
    expect(scores.logScore).toBeCloseTo((Math.log(2) - Math.log(0.9)) / 2, 12);
    expect(scores.ece).toBeCloseTo((0.5 + 0.1) / 2, 12);
    expect(scores).toMatchObject({ n: 2, meanForecast: 0.3, observedRate: 0.5, standardError: null });
  });

  it('bounds the rate by the possible outcomes of the censored', () => {
    const scores = scoresOf(
      [cell(0.2, true), cell(0.2, null, { censored: 3, sumCensored: 0.9, pending: 0 })],
      [],
    );
    expect(scores).toMatchObject({ n: 1, censored: 3, observedRateLowest: 0.25, observedRateHighest: 1 });
    expect(scores.meanForecastCensored).toBeCloseTo(0.3, 12);
  });

  it('treats forecasts of one period as one draw', () => {
    const cells = Array.from({ length: 100 }, () => cell(0.1, false));
    const periods = [1, -1, 1, -1, 2].flatMap((excess, period) =>
      Array.from({ length: 4 }, () => ({ period, excess: excess / 4 })),
    );
    expect(scoresOf(cells, periods).standardError).toBeCloseTo(Math.sqrt(8) / 100, 12);
    expect(scoresOf(cells, periods.slice(4)).standardError).toBeNull();
  });
});
