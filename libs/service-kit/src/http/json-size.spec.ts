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

  it('needs linear time for a text of backslashes and quotes', () => {
    const before = process.cpuUsage();
    expect(hasMoreValues(`"${'\\'.repeat(900_000)}`, 10)).toBe(false);
    expect(hasMoreValues(`["${'\\"'.repeat(400_000)}"]`, 10)).toBe(false);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(100);
  });
});
