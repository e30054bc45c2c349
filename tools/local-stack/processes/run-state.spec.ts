import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isSameProcess, processStart, readRunState, RunStateFile } from './run-state';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-run-'));
  file = path.join(folder, 'run.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('RunStateFile', () => {
  it('lists every process from its start, and only the latest of a name', async () => {
    const state = new RunStateFile(file, 'now');
    await state.record({ name: 'redis', kind: 'part', url: 'redis://127.0.0.1:1' });
    await state.record({ name: 'redis', kind: 'part', url: 'redis://127.0.0.1:1', pid: process.pid });
    const read = readRunState(file);
    expect(read).toMatchObject({ launcher: { pid: process.pid, startedAt: 'now' }, isReady: false });
    expect(read?.entries).toHaveLength(1);
    expect(await isSameProcess(read?.entries[0] ?? {})).toBe(true);
  });

  it('is readable only by its owner, because it contains the token of the control port', () => {
    new RunStateFile(file, 'now').setControl({ url: 'http://127.0.0.1:1', token: 'secret' });
    expect(readFileSync(file, 'utf8')).toContain('secret');
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it('treats a file that was cut off as missing', () => {
    writeFileSync(file, '{"launcher":');
    expect(readRunState(file)).toBeUndefined();
  });
});

describe('isSameProcess', () => {
  it('distinguishes a later process with the same number', async () => {
    expect(await isSameProcess({ pid: process.pid, startedAt: 'another time' })).toBe(false);
    expect(await isSameProcess({ pid: process.pid, startedAt: await processStart(process.pid) })).toBe(true);
    expect(await isSameProcess({})).toBe(false);
  });
});
