import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../..');
const text = readFileSync(path.join(root, 'docs/threat-model.md'), 'utf8');
const openRisks = text.slice(text.indexOf('## Open risks')).replaceAll(/\s+/g, ' ').toLowerCase();
const TEST = /^(apps|libs|tools|test|contracts)\/.*(\.spec\.ts|-spec\.ts|\.t\.sol)$/;

interface Row {
  category: string;
  threat: string;
  tests: string[];
}

/** Rows of each boundary. */
const boundaries = text
  .split(/^### /m)
  .slice(1)
  .map((part): [string, Row[]] => {
    const rows = [...part.matchAll(/^\| ([STRIDE]) \| (.+?) \| .+ \| (.+?) \|$/gm)];
    const title = part.split('\n')[0] ?? '';
    return [
      title,
      rows.map(([, category = '', threat = '', tests = '']) => ({
        category,
        threat,
        tests: [...tests.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
      })),
    ];
  });

describe('docs/threat-model.md', () => {
  it('has the eight boundaries of its picture', () => {
    expect(boundaries.map(([title]) => title.split(' ')[0])).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
      '8',
    ]);
  });

  it.each(boundaries)('considers every kind of threat at %s', (_, rows) => {
    expect([...new Set(rows.map(({ category }) => category))].sort().join('')).toBe('DEIRST');
  });

  it.each(boundaries)('names existing tests at %s, or repeats the threat as an open risk', (_, rows) => {
    const missing = rows.flatMap(({ threat, tests }) => {
      if (tests.length === 0) return openRisks.includes(threat.toLowerCase()) ? [] : [threat];
      return tests.filter((file) => !TEST.test(file) || !existsSync(path.join(root, file)));
    });
    expect(missing).toEqual([]);
  });
});
