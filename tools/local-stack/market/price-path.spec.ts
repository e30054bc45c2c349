import { UsageError } from '../settings/usage-error';
import { fromPresent, parsePricePath, shockPath } from './price-path';

const parse = (...lines: string[]) => parsePricePath(lines.join('\n'), 'crash.csv');

describe('a file with a price path', () => {
  it('has a time and the prices of assets in each line', () => {
    expect(
      parse('# a crash', 'seconds,ETH,btc', '0, 2500 ,60000', '', '0.5,2450.25,\r', '60,1800,41000'),
    ).toEqual([
      { seconds: 0, usd: { WETH: 2500, WBTC: 60_000 } },
      { seconds: 0.5, usd: { WETH: 2450.25 } },
      { seconds: 60, usd: { WETH: 1800, WBTC: 41_000 } },
    ]);
    expect(parsePricePath('\uFEFFseconds,LINK\r\n0,10\r\n', 'a.csv')).toEqual([
      { seconds: 0, usd: { LINK: 10 } },
    ]);
  });

  it.each([
    [['time,ETH', '0,1'], 'crash.csv, line 1: the first line is seconds and the assets'],
    [['seconds', '0'], 'crash.csv, line 1: the first line is seconds and the assets'],
    [['seconds,DOGE', '0,1'], 'crash.csv, line 1: there is no asset DOGE. The market has WETH, '],
    [['seconds,ETH,WETH', '0,1,1'], 'crash.csv, line 1: WETH is named twice'],
    [
      ['# note', 'seconds,ETH', '0,1', '', '1'],
      'crash.csv, line 5: it has 1 values, and the first line has 2',
    ],
    [['seconds,ETH', '0,1', '1,2,3'], 'crash.csv, line 3: it has 3 values'],
    [['seconds,ETH', '0,1', '-1,2'], 'crash.csv, line 3: -1 is no number of seconds'],
    [['seconds,ETH', ',1'], 'crash.csv, line 2: an empty value is no number of seconds'],
    [['seconds,ETH', '5,1', '5,2'], 'crash.csv, line 3: 5 seconds are not later than the 5 before'],
    [['seconds,ETH', '0,0'], 'crash.csv, line 2: 0 is no price'],
    [['seconds,ETH', '0,1e3'], 'crash.csv, line 2: 1e3 is no price'],
    [['seconds,ETH', '0,NaN'], 'crash.csv, line 2: NaN is no price'],
    [['seconds,ETH', '0,9999999999999999'], 'crash.csv, line 2: 9999999999999999 is no price'],
    [['seconds,ETH'], 'crash.csv has no prices'],
    [[''], 'crash.csv has no prices'],
  ])('is refused as %j, with the line', (lines, message) => {
    expect(() => parse(...lines)).toThrow(UsageError);
    expect(() => parse(...lines)).toThrow(message);
  });

  it('has at most 20,000 lines of prices', () => {
    const lines = Array.from({ length: 20_001 }, (_, second) => `${second},1`);
    expect(() => parse('seconds,ETH', ...lines)).toThrow('crash.csv, line 20002: a path has at most 20000');
  });

  it('begins at the present prices where only its changes count', () => {
    const path = parse('seconds,ETH,BTC', '0,100,', '1,50,1000', '2,25,500');
    expect(
      fromPresent(
        path,
        new Map([
          ['WETH', 3_000],
          ['WBTC', 60_000],
        ]),
      ),
    ).toEqual([
      { seconds: 0, usd: { WETH: 3_000 } },
      { seconds: 1, usd: { WETH: 1_500, WBTC: 60_000 } },
      { seconds: 2, usd: { WETH: 750, WBTC: 30_000 } },
    ]);
  });
});

describe('a shock over some seconds', () => {
  it('changes by the same factor each second, and by the percentage in all', () => {
    const path = shockPath('ETH', -36, 2).map(({ seconds, usd }) => [seconds, usd['WETH']]);
    expect(path).toEqual([
      [0, 1],
      [1, 0.8],
      [2, 0.64],
    ]);
  });
});
