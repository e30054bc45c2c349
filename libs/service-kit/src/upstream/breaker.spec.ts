import { Breaker } from './breaker';

const FAILURES = 5;

function opened(nowMs: number): Breaker {
  const breaker = new Breaker();
  for (let i = 0; i < FAILURES; i += 1) breaker.failed(nowMs);
  return breaker;
}

describe('Breaker', () => {
  it('admits every request until five failures in a row', () => {
    const breaker = new Breaker();
    for (let i = 0; i < FAILURES - 1; i += 1) breaker.failed(0);
    expect([breaker.admits(0), breaker.isOpen]).toEqual([true, false]);
    breaker.succeeded();
    for (let i = 0; i < FAILURES - 1; i += 1) breaker.failed(0);
    expect(breaker.admits(0)).toBe(true);
    breaker.failed(0);
    expect([breaker.admits(0), breaker.isOpen]).toEqual([false, true]);
  });

  it('admits one request a second when half-open', () => {
    const breaker = opened(0);
    expect([999, 1_000, 1_001, 1_999, 2_000].map((nowMs) => breaker.admits(nowMs))).toEqual([
      false,
      true,
      false,
      false,
      true,
    ]);
  });

  it('closes after a successful trial request', () => {
    const breaker = opened(0);
    breaker.admits(1_000);
    breaker.succeeded();
    expect([breaker.admits(1_001), breaker.admits(1_001), breaker.isOpen]).toEqual([true, true, false]);
  });

  it('stays open for another second after a failed trial request', () => {
    const breaker = opened(0);
    breaker.admits(1_000);
    breaker.failed(1_500);
    expect([breaker.admits(2_499), breaker.admits(2_500)]).toEqual([false, true]);
  });
});
