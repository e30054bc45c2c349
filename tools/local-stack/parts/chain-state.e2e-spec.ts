import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startEvm } from '@plimsoll/local-parts';
import { createTestFolder, waitFor, type TestFolder } from '@plimsoll/testing';
import { removeOldBlocksApart } from './chain-state';
import { ProcessSet } from '../processes/process-set';
import { RunStateFile } from '../processes/run-state';

const NEWEST = 10;

let folder: TestFolder;
let processes: ProcessSet;
const lines: string[] = [];

beforeAll(async () => {
  folder = await createTestFolder();
  processes = new ProcessSet(new RunStateFile(path.join(folder.path, 'run.json'), 'now'), (line) =>
    lines.push(line),
  );
});
afterAll(async () => {
  await processes.stop();
  await folder.remove();
});

describe('a supervised chain that ends itself after a number of blocks', () => {
  it('continues on its port with the same newest blocks, and without the old ones', async () => {
    const statePath = path.join(folder.path, 'state.json');
    const { url } = await processes.launch('part', 'evm-1', async (port) => {
      await removeOldBlocksApart(statePath, NEWEST);
      return startEvm({
        dataDir: folder.path,
        logFile: path.join(folder.path, 'evm.log'),
        port,
        chainId: 1,
        blockTimeSeconds: 0.1,
        idleBlockTimeSeconds: 0.1,
        endsAfterBlocks: 60,
        statePath,
      });
    });
    const block = async (tag: string): Promise<{ number: string; hash: string } | null> => {
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'eth_getBlockByNumber',
        params: [tag, false],
      });
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body,
        signal: AbortSignal.timeout(2_000),
      });
      return ((await response.json()) as { result: { number: string; hash: string } | null }).result;
    };
    let newest = await block('latest');
    while (lines.length === 0) {
      newest = (await block('latest').catch(() => null)) ?? newest;
      await delay(20);
    }
    await waitFor(() => lines.some((line) => line.includes('is back')), { message: 'the chain is back' });
    expect(await block(newest!.number)).toEqual(newest);
    expect(await block('0x1')).toBeNull();
    expect(Number((await block('0x0'))?.number)).toBe(0);
  });
});
