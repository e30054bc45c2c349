import { LocalLimiter } from './local-limiter';

const subject = { id: 'account:1', offsetMs: 5_000 };
const noon = Date.UTC(2026, 10, 21, 12);

describe('LocalLimiter', () => {
  it('admits its share of the minute and starts again at Reset', () => {
    const limiter = new LocalLimiter(3);
    const figures = { perMinute: 10, perDay: null };
    const verdicts = Array.from({ length: 5 }, () => limiter.take(subject, figures, noon));
    expect(verdicts.map((each) => each.admitted)).toEqual([true, true, true, false, false]);
    expect(verdicts.map((each) => each.remaining)).toEqual([2, 1, 0, 0, 0]);
    expect(verdicts[0]).toMatchObject({ limit: 10, resetMs: noon + 5_000 });
    expect(limiter.take(subject, figures, noon + 4_999).admitted).toBe(false);
    expect(limiter.take(subject, figures, noon + 5_000)).toMatchObject({ admitted: true, remaining: 2 });
  });

  it('admits at least one request', () => {
    const limiter = new LocalLimiter(100);
    expect(limiter.take(subject, { perMinute: 10, perDay: 20 }, noon).admitted).toBe(true);
    expect(limiter.take(subject, { perMinute: 10, perDay: 20 }, noon)).toMatchObject({ exceeded: 'day' });
  });

  it('keeps subjects separate', () => {
    const limiter = new LocalLimiter(1);
    const figures = { perMinute: 1, perDay: null };
    expect(limiter.take(subject, figures, noon).admitted).toBe(true);
    expect(limiter.take({ id: 'account:2', offsetMs: 5_000 }, figures, noon).admitted).toBe(true);
  });
});
