import { type OwnPart, startOwnEvm, waitFor } from '@plimsoll/testing';
import type { Hex } from 'viem';
import { type HeadUpdate, HeadWatcher } from '../heads/head-watcher';
import { type ChainClient, createChainClient } from '../rpc/chain-client';
import { type BlockRef, PinnedCall } from './pinned-call';

/** A contract that stores a word sent to it, and returns it to a call without data. */
const RUNTIME = '36600c575f545f5260205ff35b5f355f5500';
const CREATION = `0x60${(RUNTIME.length / 2).toString(16)}8060095f395ff3${RUNTIME}`;
const GAS = '0x20000';
const WORDS = 400n;
/** Reads of a block, one after another. Some of them are in progress when the next block arrives. */
const READS = 4;

let node: OwnPart;
let client: ChainClient;
let watcher: HeadWatcher | undefined;

beforeAll(async () => {
  node = await startOwnEvm({ chainId: 1 });
  client = createChainClient({ chainId: 1, rpcUrl: node.url });
});
afterAll(async () => {
  await watcher?.close();
  await node?.dispose();
});

describe('PinnedCall', () => {
  it('reads the state of a block while the node mines the next one', async () => {
    const [from] = await client.request<Hex[]>('eth_accounts', []);
    const send = (transaction: object): Promise<{ contractAddress: Hex; blockNumber: Hex }> =>
      client.request('eth_sendTransactionSync', [{ from, gas: GAS, ...transaction }]);
    const { contractAddress: to } = await send({ data: CREATION });
    const pinned = new PinnedCall(client);
    const reads = new Map<bigint, Promise<bigint[]>>();
    const readOften = async (head: BlockRef): Promise<bigint[]> => {
      const found: bigint[] = [];
      while (found.length < READS) found.push(BigInt(await pinned.call({ to, data: '0x' }, head)));
      return found;
    };
    watcher = new HeadWatcher({
      client,
      wsUrl: node.url.replace('http', 'ws'),
      onHead: ({ newHeads }: HeadUpdate) => {
        for (const head of newHeads) reads.set(head.number, readOften(head));
      },
    });
    await waitFor(() => watcher?.isPushed && watcher.latest, { message: 'subscribed' });
    const words = new Map<bigint, bigint>();
    for (let word = 1n; word <= WORDS; word += 1n) {
      const data = `0x${word.toString(16).padStart(64, '0')}`;
      words.set(BigInt((await send({ to, data })).blockNumber), word);
    }
    const last = [...words.keys()].at(-1)!;
    await waitFor(() => reads.has(last), { message: `block ${last}` });
    const wrong: object[] = [];
    for (const [block, word] of words)
      for (const found of (await reads.get(block))!) if (found !== word) wrong.push({ block, word, found });
    expect(wrong).toEqual([]);
  }, 60_000);
});
