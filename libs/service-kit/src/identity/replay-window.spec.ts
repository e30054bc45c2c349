import { ReplayWindow } from './replay-window';

const VALID_MS = 35_000;

describe('ReplayWindow', () => {
  it('accepts each number of a process once, in any order within the window', () => {
    const window = new ReplayWindow(VALID_MS);
    const use = (number: number): boolean => window.use('key', 'a', number, 0);
    expect([3, 1, 2, 70_000, 69_999, 5_000].map(use)).toEqual([true, true, true, true, true, true]);
    expect([3, 1, 70_000, 69_999, 5_000].map(use)).toEqual([false, false, false, false, false]);
    expect(window.use('key', 'b', 1, 0)).toBe(true);
    expect(window.use('other', 'a', 1, 0)).toBe(true);
  });

  it('accepts every number of a long sequence once', () => {
    const window = new ReplayWindow(VALID_MS);
    for (let number = 1; number <= 200_000; number += 1) {
      if (!window.use('key', 'a', number, 0)) throw new Error(`${number} was refused`);
      if (window.use('key', 'a', number, 0)) throw new Error(`${number} was accepted twice`);
    }
  });

  it('refuses a number that is too low to be remembered', () => {
    const window = new ReplayWindow(VALID_MS);
    window.use('key', 'a', 100_000, 0);
    expect(window.use('key', 'a', 100_000 - 65_536, 0)).toBe(false);
    expect(window.use('key', 'a', 100_001 - 65_536, 0)).toBe(true);
  });

  it('refuses another process of a key that has too many, until one of them can be forgotten', () => {
    const window = new ReplayWindow(VALID_MS);
    for (let at = 0; at < 256; at += 1) expect(window.use('key', `p${at}`, 1, at)).toBe(true);
    expect(window.use('key', 'new', 1, VALID_MS)).toBe(false);
    expect(window.use('other', 'new', 1, VALID_MS)).toBe(true);
    expect(window.use('key', 'p0', 1, VALID_MS)).toBe(false);
    expect(window.use('key', 'new', 1, VALID_MS + 2)).toBe(true);
  });

  it('forgets the processes of keys that no longer exist', () => {
    const window = new ReplayWindow(VALID_MS);
    window.use('old', 'a', 1, 0);
    window.keep((id) => id === 'new');
    expect(window.use('old', 'a', 1, 0)).toBe(true);
  });
});
