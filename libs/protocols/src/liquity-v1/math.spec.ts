import { troveThreshold } from './math';

const WAD = 10n ** 18n;
const at = (total: bigint, offset: bigint) => ({
  minimum: (WAD * 11n) / 10n,
  critical: (WAD * 3n) / 2n,
  total,
  offset,
});

describe('troveThreshold', () => {
  it.each([
    ['outside recovery mode, the minimum', (WAD * 3n) / 2n, 100n, 100n, (WAD * 11n) / 10n],
    [
      'in recovery mode, the ratio of the system for a debt that fits into the pool',
      (WAD * 13n) / 10n,
      100n,
      100n,
      (WAD * 13n) / 10n,
    ],
    ['in recovery mode, the minimum for a larger debt', (WAD * 13n) / 10n, 100n, 101n, (WAD * 11n) / 10n],
    ['in recovery mode below the minimum, the minimum', WAD, 100n, 100n, (WAD * 11n) / 10n],
  ])('%s', (_case, total, offset, debt, threshold) => {
    expect(troveThreshold(at(total, offset), debt)).toBe(threshold);
  });
});
