import { isTransient, retryDelayMs } from './mailer';

describe('retries of a mail', () => {
  it('wait longer each time, up to a bound', () => {
    expect([1, 2, 3, 4, 9].map((attempt) => retryDelayMs(attempt, 0))).toEqual([
      500, 2_000, 8_000, 30_000, 30_000,
    ]);
    expect(retryDelayMs(1, 1)).toBe(625);
  });

  it('follow transient failures', () => {
    expect([{}, { responseCode: 451 }, { responseCode: 550 }].map(isTransient)).toEqual([true, true, false]);
  });
});
