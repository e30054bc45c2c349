import { SourceBackoff } from './source-backoff';

describe('SourceBackoff', () => {
  it('pauses from the third failure in a row, for times that grow to a minute', () => {
    const backoff = new SourceBackoff(() => 0);
    const pauses = Array.from({ length: 12 }, () => {
      backoff.failed(0);
      return backoff.waitMs(0);
    });
    expect(pauses.slice(0, 5)).toEqual([0, 0, 1_000, 2_000, 4_000]);
    expect(pauses.at(-1)).toBe(60_000);
  });

  it('ends with the first success', () => {
    const backoff = new SourceBackoff(() => 1);
    for (let i = 0; i < 3; i += 1) backoff.failed(0);
    expect(backoff.waitMs(0)).toBe(1_500);
    backoff.succeeded();
    expect(backoff.isPausing).toBe(false);
    expect(backoff.waitMs(0)).toBe(0);
  });
});
