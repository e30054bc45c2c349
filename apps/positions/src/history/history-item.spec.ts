import { type KnownPosition, type Sample, historyItems } from './history-item';

const HOUR_MS = 3_600_000;
const STARTS = [0, 1, 2, 3].map((at) => at * HOUR_MS);
const WAD = 10n ** 18n;

const sample = (positionId: string, hour: number, more: Partial<Sample> = {}): Sample => ({
  positionId,
  atMs: hour * HOUR_MS,
  samples: 1,
  lowestHealthFactorRaw: 2n * WAD,
  netWorthUsdRaw: 100n * WAD,
  isClosed: false,
  ...more,
});
const items = (known: readonly KnownPosition[], samples: readonly Sample[]) =>
  historyItems(STARTS, HOUR_MS, known, samples);

describe('historyItems', () => {
  it('sums the last figures of each position, exactly, and takes the lowest health factor', () => {
    const [first] = items(
      [],
      [
        sample('a', 0, { samples: 3, netWorthUsdRaw: 10n ** 30n + 1n, lowestHealthFactorRaw: null }),
        sample('b', 0, { netWorthUsdRaw: -2n, lowestHealthFactorRaw: WAD + 5n }),
      ],
    );
    expect(first).toEqual({
      at: '1970-01-01T00:00:00.000Z',
      samples: 4,
      positions: 2,
      positionsMissing: 0,
      netWorthUsd: 1e12,
      netWorthUsdRaw: '999999999999999999999999999999',
      lowestHealthFactor: 1,
      lowestHealthFactorRaw: '1000000000000000005',
      gap: null,
    });
  });

  it('carries no value into a bucket without a snapshot', () => {
    const found = items([{ id: 'a', openFromMs: 0 }], [sample('a', 0), sample('a', 3)]);
    expect(found.map(({ gap, netWorthUsd }) => [gap, netWorthUsd])).toEqual([
      [null, 100],
      ['no_samples', null],
      ['no_samples', null],
      [null, 100],
    ]);
  });

  it('has no figure while one of several open positions is missing', () => {
    const found = items([], [sample('a', 0), sample('b', 0), sample('a', 1), sample('a', 2), sample('b', 2)]);
    expect(found.map(({ gap, lowestHealthFactor }) => [gap, lowestHealthFactor])).toEqual([
      [null, 2],
      ['positions_missing', null],
      [null, 2],
      ['no_samples', null],
    ]);
    expect(found[1]).toMatchObject({ positions: 1, positionsMissing: 1, netWorthUsdRaw: null });
  });

  it('a closed position is worth 0 and misses nothing, until it opens again', () => {
    const closed = { isClosed: true, netWorthUsdRaw: 0n, lowestHealthFactorRaw: WAD };
    const found = items([], [sample('a', 0, closed), sample('a', 2), sample('b', 1)]);
    expect(found.map(({ positions, netWorthUsd, gap }) => [positions, netWorthUsd, gap])).toEqual([
      [0, 0, null],
      [1, 100, null],
      [1, null, 'positions_missing'],
      [0, null, 'no_samples'],
    ]);
  });

  it('a position is missing from the time on when it was open, and not before', () => {
    const found = items([{ id: 'a', openFromMs: HOUR_MS + 1 }], [sample('b', 0), sample('b', 1)]);
    expect(found.map(({ positionsMissing }) => positionsMissing)).toEqual([0, 1, 2, 2]);
    expect(items([{ id: 'a', openFromMs: null }], []).map(({ gap }) => gap)).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it('states that a release without the net worth recorded the snapshot', () => {
    const [first] = items([], [sample('a', 0, { netWorthUsdRaw: null }), sample('b', 0)]);
    expect(first).toMatchObject({ gap: 'not_recorded', netWorthUsd: null, lowestHealthFactor: 2 });
  });
});
