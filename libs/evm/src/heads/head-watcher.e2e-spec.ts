import { startOwnEvm, waitFor, type OwnPart } from '@plimsoll/testing';
import { createChainClient, type ChainClient } from '../rpc/chain-client';
import { HeadWatcher, type HeadUpdate, type HeadWatcherOptions } from './head-watcher';

let node: OwnPart;
let client: ChainClient;
let watcher: HeadWatcher | undefined;
const updates: HeadUpdate[] = [];

beforeEach(async () => {
  node = await startOwnEvm({ chainId: 1 });
  client = createChainClient({ chainId: 1, rpcUrl: node.url, retryDelayMs: 5 });
  updates.length = 0;
});
afterEach(async () => {
  await watcher?.close();
  await node.dispose();
});

function watch(options: Partial<HeadWatcherOptions> = {}): HeadWatcher {
  const onHead = (update: HeadUpdate): void => void updates.push(update);
  watcher = new HeadWatcher({ client, onHead, pollIntervalMs: 50, quietMs: 60_000, ...options });
  return watcher;
}
const wsUrl = (): string => node.url.replace('http', 'ws');
const seconds = (): number => Math.floor(Date.now() / 1_000);
const mine = (count: number): Promise<unknown> => client.request('anvil_mine', [count]);
const seen = (test: (update: HeadUpdate) => boolean, message: string): Promise<HeadUpdate> =>
  waitFor(() => updates.find(test), { message });

describe('HeadWatcher', () => {
  it('pushes a head within milliseconds of its block', async () => {
    const heads = watch({ wsUrl: wsUrl() });
    await waitFor(() => heads.isPushed && heads.latest, { message: 'subscribed' });
    await mine(1);
    const update = await seen(({ head }) => head.number === 1n, 'block 1');
    expect(update).toMatchObject({ source: 'push', firstNewBlock: 1n, reorgDepth: 0 });
  });

  it('polls without a subscription, and reports from which block on everything is new', async () => {
    watch();
    await seen(({ head }) => head.number === 0n, 'block 0');
    await mine(40);
    await seen(({ head }) => head.number === 40n, 'block 40');
    const fromOne = updates.filter(({ head }) => head.number > 0n);
    expect(fromOne[0]?.firstNewBlock).toBe(1n);
    expect(fromOne.flatMap(({ newHeads }) => newHeads.map(({ number }) => Number(number)))).toEqual(
      Array.from({ length: 40 }, (_, at) => at + 1),
    );
    expect(fromOne.every(({ source, reorgDepth }) => source === 'poll' && reorgDepth === 0)).toBe(true);
  });

  it('a gap larger than the fetch limit: firstNewBlock is null', async () => {
    watch({ maxBranch: 5 });
    await seen(({ head }) => head.number === 0n, 'block 0');
    await mine(60);
    expect((await seen(({ head }) => head.number === 60n, 'block 60')).firstNewBlock).toBeNull();
  });

  it('notices a reorg and its depth', async () => {
    const heads = watch({ wsUrl: wsUrl() });
    await waitFor(() => heads.isPushed && heads.latest, { message: 'subscribed' });
    await mine(10);
    await seen(({ head }) => head.number === 10n, 'block 10');
    await client.request('anvil_reorg', [3, []]);
    await mine(1);
    await seen(({ head }) => head.number === 11n, 'block 11');
    const reorg = updates.find(({ reorgDepth }) => reorgDepth > 0);
    expect(reorg).toMatchObject({ reorgDepth: 3, firstNewBlock: 8n });
  });

  it('reconnects after the node was down, even with another chain', async () => {
    const errors: unknown[] = [];
    const heads = watch({ wsUrl: wsUrl(), onError: (error) => errors.push(error) });
    await waitFor(() => heads.isPushed, { message: 'subscribed' });
    await mine(3);
    await seen(({ head }) => head.number === 3n, 'block 3');
    await node.kill9();
    const killedAt = seconds();
    await waitFor(() => errors.length > 0 && !heads.isPushed, {
      message: 'the loss of the connection is noticed',
    });
    updates.length = 0;
    // The first block of a chain depends on the second in which it starts: another second, another chain.
    await waitFor(() => seconds() > killedAt, { message: 'the next second' });
    node = await node.restart();
    await mine(2);
    await waitFor(() => heads.isPushed, { message: 'subscribed again' });
    await seen(({ head }) => head.number === 2n, 'block 2 of the new chain');
    expect(updates[0]?.firstNewBlock).toBeNull();
    await mine(1);
    await waitFor(() => heads.latest?.number === 3n && updates.at(-1)?.source === 'push', {
      message: 'pushed again',
    });
  }, 30_000);
});
