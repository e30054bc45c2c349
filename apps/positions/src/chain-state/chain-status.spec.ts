import { chainStatus } from './chain-status';

const sound = { isUnreachable: false, headAgeMs: 5_000, blockTime: 12, hasFailingRow: false };

describe('chainStatus', () => {
  it.each([
    [{}, 'operational'],
    [{ isUnreachable: true }, 'down'],
    [{ headAgeMs: null }, 'down'],
    [{ hasFailingRow: true }, 'degraded'],
    [{ headAgeMs: 59_000 }, 'operational'],
    [{ headAgeMs: 61_000 }, 'degraded'],
    [{ headAgeMs: 19_000, blockTime: 2 }, 'operational'],
    [{ headAgeMs: 21_000, blockTime: 2 }, 'degraded'],
    [{ headAgeMs: 9_000, blockTime: 0.25 }, 'operational'],
    [{ headAgeMs: 11_000, blockTime: 0.25 }, 'degraded'],
    [{ headAgeMs: 59_000, blockTime: null }, 'operational'],
  ] as const)('%j is %s', (over, expected) => {
    expect(chainStatus({ ...sound, ...over })).toBe(expected);
  });
});
