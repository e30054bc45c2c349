import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DEVNET_MARKET, deployDevnet, registryOverlay, seedPositions } from '@plimsoll/devnet';
import { checkReading, countChecks, parseActivity, parseReading, readActivity } from '@plimsoll/protocols';
import {
  createTestFolder,
  replayClient,
  startOwnEvm,
  type OwnPart,
  type TestFolder,
} from '@plimsoll/testing';
import { main } from './main';

jest.setTimeout(60_000);

let node: OwnPart;
let folder: TestFolder;
let words: string[];
let env: Record<string, string>;
const file = (name: string, content?: string): string => {
  const target = path.join(folder.path, name);
  if (content !== undefined) writeFileSync(target, content);
  return target;
};

beforeAll(async () => {
  node = await startOwnEvm({ chainId: 1 });
  folder = await createTestFolder();
  const devnet = await deployDevnet({ rpcUrl: node.url, chainId: 1 });
  const wallets = await seedPositions(node.url, devnet);
  env = { REGISTRY_OVERLAY: file('overlay.json', JSON.stringify(registryOverlay(devnet))) };
  words = [
    '--rpc',
    node.url,
    '--protocol',
    'aave-v3',
    '--chain',
    '1',
    '--out',
    folder.path,
    '--name',
    'demo',
  ];
  words.push('--wallets', file('wallets', wallets.map(({ address }) => address).join('\n')));
}, 60_000);
afterAll(async () => {
  await node?.dispose();
  await folder?.remove();
});

/** Runs the tool, with what it prints. */
async function run(more: readonly string[] = []) {
  const output: string[] = [];
  const log = jest.spyOn(console, 'log').mockImplementation((text: string) => void output.push(text));
  const error = jest.spyOn(console, 'error').mockImplementation((text: string) => void output.push(text));
  const code = await main([...words, ...more], env);
  log.mockRestore();
  error.mockRestore();
  return { code, output: output.join('\n') };
}

describe('npm run record', () => {
  it('records a reading that a replay repeats without the node, with the same verdicts', async () => {
    const { code, output } = await run(['--market', DEVNET_MARKET]);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/ 0 different/) });
    const bytes = readFileSync(file('aave-v3/demo.json.gz'));
    const { chain, ...request } = parseReading(bytes);
    const checks = await checkReading({ ...request, chain }, replayClient(chain, 'demo'));
    const { positions, exact, verdicts } = countChecks(checks);
    expect(positions).toBeGreaterThan(5);
    expect(exact).toBe(positions);
    const description = JSON.parse(readFileSync(file('aave-v3/demo.json'), 'utf8')) as object;
    expect(description).toMatchObject({ protocol: 'aave-v3', positions, exact, verdicts, different: 0 });
  });

  it('is the same file when the same block is recorded again', async () => {
    const { block } = JSON.parse(readFileSync(file('aave-v3/demo.json'), 'utf8')) as { block: number };
    const before = readFileSync(file('aave-v3/demo.json.gz'));
    expect((await run(['--block', String(block)])).code).toBe(0);
    expect(readFileSync(file('aave-v3/demo.json.gz')).equals(before)).toBe(true);
  });

  it('records proofs of what the contracts store of each position', async () => {
    expect((await run(['--market', DEVNET_MARKET, '--name', 'proved', '--proofs'])).code).toBe(0);
    const { block, proofs } = parseReading(readFileSync(file('aave-v3/proved.json.gz'))).chain.toJson();
    expect(block).toHaveProperty('stateRoot');
    expect(proofs!.length).toBeGreaterThan(5);
    expect(proofs!.every(({ accountProof, storageProof }) => accountProof[0] && storageProof[0])).toBe(true);
  });

  it('records what wallets did after a block, which a replay repeats without the node', async () => {
    const { code, output } = await run(['--market', DEVNET_MARKET, '--since', '20', '--name', 'acts']);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/: [1-9]\d* activities/) });
    const activity = parseActivity(readFileSync(file('aave-v3/acts.json.gz')));
    const client = replayClient(activity.states, 'acts');
    const { read, readByBlock, after } = await readActivity(activity, client);
    expect(readByBlock).toEqual(read.activities);
    const description = JSON.parse(readFileSync(file('aave-v3/acts.json'), 'utf8')) as object;
    const counts = { activities: read.activities.length, positions: after.positions.length };
    expect(description).toMatchObject({ protocol: 'aave-v3', since: 20, ...counts });
  });

  it.each([
    [['--chain', '10'], 'The node is of chain 1, not 10'],
    [['--protocol', 'none'], 'The registry has no none on chain 1'],
    [['--block', '900000'], 'has no block 900000'],
    [['--block', '20', '--since', '20'], 'must be 1 to 1000 blocks before the block 20'],
    [['--wallets', 'missing'], 'missing cannot be read'],
    [['--rpc', 'http://127.0.0.1:1'], 'no response'],
  ])('states what is wrong with %j, and writes nothing', async (more, message) => {
    const { code, output } = await run([...more, '--name', 'wrong']);
    expect({ code, output }).toEqual({ code: 2, output: expect.stringContaining(message) });
    expect(() => readFileSync(file('aave-v3/wrong.json'))).toThrow();
  });
});
