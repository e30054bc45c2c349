import type { Head } from './head';
import { HeadWindow } from './head-window';

/** A chain written as letters: block n of branch "a" has hash 0xa<n>. */
const block = (branch: string, number: number, parentBranch = branch): Head => ({
  number: BigInt(number),
  hash: `0x${branch}${number}`,
  parentHash: `0x${parentBranch}${number - 1}`,
  timestamp: BigInt(number),
});

function windowWith(...numbers: number[]): HeadWindow {
  const window = new HeadWindow();
  for (const number of numbers) window.adopt([block('a', number)]);
  return window;
}

describe('HeadWindow', () => {
  it('adopts the first head', () => {
    expect(new HeadWindow().indexOf([block('a', 5)])).toEqual({
      kind: 'connected',
      firstNewBlock: 5n,
      reorgDepth: 0,
    });
  });

  it('recognises a head that it has', () => {
    expect(windowWith(5, 6).indexOf([block('a', 5)])).toEqual({ kind: 'known' });
  });

  it('connects the next head', () => {
    expect(windowWith(5).indexOf([block('a', 6)])).toEqual({
      kind: 'connected',
      firstNewBlock: 6n,
      reorgDepth: 0,
    });
  });

  it('reads the parent over a gap, and connects with it', () => {
    const window = windowWith(5);
    expect(window.indexOf([block('a', 7)])).toEqual({ kind: 'missing', parentHash: '0xa6' });
    expect(window.indexOf([block('a', 7), block('a', 6)])).toMatchObject({
      firstNewBlock: 6n,
      reorgDepth: 0,
    });
  });

  it('finds the fork of a branch that replaces blocks', () => {
    const window = windowWith(5, 6, 7);
    expect(window.indexOf([block('b', 7)])).toEqual({ kind: 'missing', parentHash: '0xb6' });
    const branch = [block('b', 7), block('b', 6, 'a')];
    expect(window.indexOf(branch)).toEqual({ kind: 'connected', firstNewBlock: 6n, reorgDepth: 2 });
    window.adopt(branch);
    expect(window.indexOf([block('a', 7)])).toEqual({ kind: 'missing', parentHash: '0xa6' });
    expect(window.indexOf([block('b', 8)])).toMatchObject({ kind: 'connected', reorgDepth: 0 });
  });

  it('forgets the blocks above a shorter branch', () => {
    const window = windowWith(5, 6, 7);
    window.adopt([block('b', 6, 'a')]);
    expect(window.latest?.hash).toBe('0xb6');
    expect(window.indexOf([block('a', 7)])).toEqual({ kind: 'missing', parentHash: '0xa6' });
  });

  it('restarts from a branch that does not connect', () => {
    const window = windowWith(5, 6);
    window.adopt([block('c', 90)]);
    expect(window.indexOf([block('a', 6)])).toEqual({ kind: 'missing', parentHash: '0xa5' });
    expect(window.indexOf([block('c', 91)])).toMatchObject({ kind: 'connected' });
  });

  it('keeps no more than its size', () => {
    const window = new HeadWindow(3);
    for (let number = 1; number <= 10; number += 1) window.adopt([block('a', number)]);
    expect(window.indexOf([block('a', 7)])).toEqual({ kind: 'missing', parentHash: '0xa6' });
    expect(window.indexOf([block('a', 8)])).toEqual({ kind: 'known' });
  });
});
