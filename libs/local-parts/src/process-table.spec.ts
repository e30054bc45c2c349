import { spawn } from 'node:child_process';
import { findProcess, listProcesses, parsePowerShell, parseProc, parsePs } from './process-table';

describe('the table of processes', () => {
  it('reads /proc, also for a name with spaces and parentheses', () => {
    const stat = `4711 (a) b (c) S 12 4711 4711 0 -1 4194304 99 0 0 0 150 50 0 0 20 0 11 0 ${'987654 '}1000 200 0`;
    expect(parseProc(stat, 'Name:\ta\nVmRSS:\t  2048 kB\n')).toEqual({
      pid: 4711,
      parentPid: 12,
      isZombie: false,
      startedAt: '987654',
      cpuMs: 2_000,
      memoryMb: 2,
    });
  });

  it('reads the ps of macOS', () => {
    const table = [
      '    1     0 Ss     1:02.50  10240 Mon Nov 23 08:00:00 2026',
      '  977     1 Z      0:00.00      0 Mon Nov 23 09:00:00 2026',
      '  978     1 S   1-02:00:01 1024 Sun Nov 22 09:00:00 2026',
      '',
    ].join('\n');
    expect(parsePs(table)).toEqual([
      {
        pid: 1,
        parentPid: 0,
        isZombie: false,
        startedAt: 'Mon Nov 23 08:00:00 2026',
        cpuMs: 62_500,
        memoryMb: 10,
      },
      expect.objectContaining({ pid: 977, parentPid: 1, isZombie: true }),
      expect.objectContaining({ pid: 978, cpuMs: 93_601_000, memoryMb: 1 }),
    ]);
  });

  it('reads the lines of PowerShell', () => {
    expect(parsePowerShell('812 4 2097152 10000000 5000000 638679456000000000\r\n\r\n')).toEqual([
      {
        pid: 812,
        parentPid: 4,
        isZombie: false,
        startedAt: '638679456000000000',
        cpuMs: 1_500,
        memoryMb: 2,
      },
    ]);
  });

  it('contains this process with its child, but not the child after its end', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const pid = child.pid ?? 0;
    const entry = (await listProcesses()).find((each) => each.pid === pid);
    expect(entry).toMatchObject({ parentPid: process.pid, isZombie: false });
    expect((await findProcess(process.pid))?.memoryMb).toBeGreaterThan(10);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    expect(await findProcess(pid)).toBeUndefined();
  });
});
