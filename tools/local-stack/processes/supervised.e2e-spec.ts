import { spawn } from 'node:child_process';
import path from 'node:path';
import { startEmbeddedRedis, type RunningPart } from '@plimsoll/local-parts';
import { createTestFolder, waitFor, type TestFolder } from '@plimsoll/testing';
import { writeJsonFile } from '../settings/json-file';
import { ProcessSet } from './process-set';
import { isSameProcess, processStart, readRunState, RunStateFile, type RunEntry } from './run-state';
import { stackPaths, type StackPaths } from '../settings/stack-paths';
import { endLeftovers } from '../commands/stop-command';

jest.setTimeout(30_000);

let folder: TestFolder;
let paths: StackPaths;
let lines: string[];
let processes: ProcessSet;

beforeEach(async () => {
  folder = await createTestFolder();
  paths = stackPaths(folder.path);
  lines = [];
  const state = new RunStateFile(paths.runFile, 'now');
  processes = new ProcessSet(state, (line) => lines.push(line));
});
afterEach(async () => {
  await processes.stop();
  await folder.remove();
});

function launchRedis(): Promise<RunningPart> {
  const options = { dataDir: path.join(paths.data, 'redis'), logFile: path.join(paths.logs, 'redis.log') };
  return processes.launch('part', 'redis', (port) => startEmbeddedRedis({ ...options, port }));
}

function recorded(): RunEntry | undefined {
  return readRunState(paths.runFile)?.entries.find(({ name }) => name === 'redis');
}

describe('a supervised process', () => {
  it('is started again on its port when it ends by itself, and run.json names the new one', async () => {
    const first = await launchRedis();
    await first.kill9();
    await waitFor(() => lines.some((line) => line.includes('is back')), {
      message: 'Redis accepts connections again',
    });
    expect(recorded()).toMatchObject({ url: first.url });
    expect(recorded()?.pid).not.toBe(first.pid);
  });

  it('stays stopped', async () => {
    const part = await launchRedis();
    await processes.stop();
    expect(await processStart(part.pid)).toBeUndefined();
    await expect(launchRedis()).rejects.toThrow('the stack stops');
    expect(lines).toEqual([]);
  });
});

describe('endLeftovers', () => {
  it('ends the processes in run.json, and none that only has the same number', async () => {
    const sleep = ['-e', 'setTimeout(() => undefined, 60_000)'];
    const left = spawn(process.execPath, sleep, { detached: true, stdio: 'ignore' });
    const stranger = spawn(process.execPath, sleep, { detached: true, stdio: 'ignore' });
    const state = new RunStateFile(paths.runFile, 'now');
    await state.record({ name: 'left', kind: 'service', url: 'http://127.0.0.1:1', pid: left.pid });
    const entry: RunEntry = { name: 'gone', kind: 'service', url: 'http://127.0.0.1:2', pid: stranger.pid };
    const written = readRunState(paths.runFile);
    writeJsonFile(paths.runFile, {
      ...written,
      entries: [...(written?.entries ?? []), { ...entry, startedAt: 'before' }],
    });

    expect(await endLeftovers(paths)).toBe(1);
    expect(await processStart(left.pid ?? 0)).toBeUndefined();
    expect(await isSameProcess({ pid: stranger.pid, startedAt: await processStart(stranger.pid ?? 0) })).toBe(
      true,
    );
    stranger.kill('SIGKILL');
  });
});
