import { statusTable } from './status-table';

describe('statusTable', () => {
  it('aligns its columns, marks unknown values and sums the others', () => {
    const table = statusTable([
      {
        name: 'gateway',
        kind: 'service',
        variant: null,
        url: 'http://127.0.0.1:4000',
        health: 'ready',
        pid: 7,
        cpuPercent: 1.25,
        memoryMb: 91.4,
        ownMemoryMb: 80.1,
      },
      {
        name: 'redis',
        kind: 'part',
        variant: 'given',
        url: 'redis://elsewhere:6379',
        health: 'up',
        pid: null,
        cpuPercent: null,
        memoryMb: null,
        ownMemoryMb: null,
      },
    ]);
    expect(table.split('\n')).toEqual([
      'NAME     VARIANT  HEALTH  CPU    MEMORY  PID  ADDRESS',
      'gateway  -        ready   1.3 %  91 MB   7    http://127.0.0.1:4000',
      'redis    given    up      -      -       -    redis://elsewhere:6379',
      'total                     1.3 %  91 MB',
    ]);
  });
});
