import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readPriceHistory } from './price-history';

const HEAD = 'Date,Close,High,Low';
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'prices-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const closesOf = (...rows: string[]): number[] => {
  writeFileSync(path.join(folder, 'ETH.csv'), [HEAD, ...rows].join('\n'));
  return readPriceHistory(folder, 'ETH').close;
};

describe('readPriceHistory', () => {
  it('reads the days after the last gap', () => {
    expect(closesOf('2024-01-01,1,1,1', '2024-01-02,,,', '2024-01-03,3,3,3', '2024-01-04,4,4,4')).toEqual([
      3, 4,
    ]);
  });

  it('takes the last row of a day that is there twice, which is no gap', () => {
    expect(
      closesOf('2024-01-01,1,1,1', '2024-01-02,2,2,2', '2024-01-02,2.5,3,2', '2024-01-03,3,3,3'),
    ).toEqual([1, 2.5, 3]);
  });
});
