import { statusTable } from './status-table';

describe('statusTable', () => {
  it('lines up its columns and leaves out what is not known', () => {
    const table = statusTable([
      {
        name: 'gateway',
        kind: 'service',
        url: 'http://127.0.0.1:4000',
        health: 'ready',
        pid: 7,
        cpuPercent: 1.25,
        memoryMb: 91.4,
      },
      {
        name: 'redis',
        kind: 'part',
        url: 'redis://elsewhere:6379',
        health: 'up',
        pid: null,
        cpuPercent: null,
        memoryMb: null,
      },
    ]);
    expect(table.split('\n')).toEqual([
      'NAME     HEALTH  CPU    MEMORY  PID  ADDRESS',
      'gateway  ready   1.3 %  91 MB   7    http://127.0.0.1:4000',
      'redis    up      -      -       -    redis://elsewhere:6379',
    ]);
  });
});
