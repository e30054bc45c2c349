import { Breaker } from './breaker';

describe('Breaker', () => {
  it('opens after ten failures in a row and closes with the first success', () => {
    const breaker = new Breaker();
    for (let i = 0; i < 9; i += 1) breaker.record(false);
    expect(breaker.isOpen).toBe(false);
    breaker.record(false);
    expect(breaker.isOpen).toBe(true);
    breaker.record(true);
    expect(breaker).toMatchObject({ isOpen: false, isFresh: true });
  });

  it('does not add failures across a success', () => {
    const breaker = new Breaker();
    for (let i = 0; i < 100; i += 1) breaker.record(i % 5 === 0);
    expect(breaker.isOpen).toBe(false);
  });
});
