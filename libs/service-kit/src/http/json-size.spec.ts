import { hasMoreValues } from './json-size';

describe('hasMoreValues', () => {
  it.each([
    ['1', 1],
    ['[1,2,3]', 4],
    ['{"a":1,"b":[2,3]}', 5],
    ['{"a":",,,,[[{{"}', 2],
    ['{"a":"\\",,,","b":"\\\\","c":1}', 4],
    [String.raw`["\\\"",1]`, 3],
  ])('counts at most as many values in %j as JSON has', (json, values) => {
    expect(hasMoreValues(json, values)).toBe(false);
    expect(hasMoreValues(json, values - 1)).toBe(true);
  });

  it('ends for a text without its last quote', () => {
    expect(hasMoreValues('["abc\\"', 10)).toBe(false);
  });

  it.each([
    ['backslashes', `"${'\\'.repeat(20_000)}`],
    ['backslashes before a quote', `"${'\\'.repeat(20_000)}"`],
    ['escaped quotes', `["${'\\"'.repeat(10_000)}"]`],
    ['short texts', `[${'"\\\\",'.repeat(5)}0]`],
  ])('reads each character of %s twice at most', (_, json) => {
    expect(readsOf(() => hasMoreValues(json, 10))).toBeLessThanOrEqual(2 * json.length);
  });

  it('stops at the first value above the limit', () => {
    expect(readsOf(() => hasMoreValues('['.repeat(1_048_576), 10))).toBe(10);
  });
});

/** Returns how often characters of texts are read during `work`. */
function readsOf(work: () => void): number {
  const reads = jest.spyOn(String.prototype, 'charCodeAt');
  try {
    work();
    return reads.mock.calls.length;
  } finally {
    reads.mockRestore();
  }
}
