import { parseRollup } from './process-usage';

const rollup = `55d0c0000000-7ffd0000000 ---p 00000000 00:00 0                    [rollup]
Rss:               71680 kB
Pss:               25600 kB
Pss_Dirty:         19456 kB
Pss_Anon:          18432 kB
Pss_File:           6144 kB
Pss_Shmem:          1024 kB
`;

describe('parseRollup', () => {
  it('leaves out the pages of files, whose share depends on other processes', () => {
    const later = rollup.replace('25600', '23552').replace('6144', '4096');
    expect(parseRollup(rollup)).toEqual({ all: 25, own: 19 });
    expect(parseRollup(later)).toEqual({ all: 23, own: 19 });
  });

  it('counts all where Linux states the sum alone', () => {
    expect(parseRollup('Pss:  2048 kB\n')).toEqual({ all: 2, own: 2 });
  });

  it('rejects a text without the sum', () => {
    expect(() => parseRollup('Rss: 2048 kB\n')).toThrow('no PSS');
  });
});
