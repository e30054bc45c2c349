import {
  type Misbehaviour,
  type OwnPart,
  type ProxyNode,
  startOwnEvm,
  startProxyNode,
} from '@plimsoll/testing';
import { numberToHex, type Address, type Hex } from 'viem';
import { readLatestHead } from '../heads/head';
import { createChainClient, type ChainClient } from './chain-client';

/** The precompiled contract of SHA-256. */
const SHA_256: Address = '0x0000000000000000000000000000000000000002';
const BLOCKS = 20;

/** Another node of the same chain that states other values. */
const LIE: Misbehaviour = {
  result: ({ method }, honest) => (method === 'eth_call' ? `0x${'7'.repeat(64)}` : honest),
};

let evm: OwnPart;
let nodes: ProxyNode[];
let client: ChainClient;

async function rpc(method: string, params: readonly unknown[]): Promise<void> {
  await fetch(evm.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
}

async function readHash(): Promise<Hex> {
  const { number } = await readLatestHead(client);
  return client.request('eth_call', [{ to: SHA_256, data: '0x01' }, numberToHex(number)]);
}

beforeAll(async () => {
  evm = await startOwnEvm({ chainId: 1 });
  await rpc('anvil_mine', [numberToHex(BLOCKS)]);
}, 30_000);
beforeEach(async () => {
  nodes = await Promise.all([1, 2, 3].map(() => startProxyNode(evm.url)));
  client = createChainClient({
    chainId: 1,
    rpcUrl: nodes.map(({ url }) => url).join(','),
    quorum: 2,
    timeoutMs: 1_000,
  });
});
afterEach(() => Promise.all(nodes.map((node) => node.close())));
afterAll(() => evm?.dispose());

describe('two of three nodes must agree', () => {
  it.each([0, 1, 2])('the results are those of the others when node %d lies', async (liar) => {
    const honest = await readHash();
    nodes[liar]!.behave(LIE);
    expect(await readHash()).toBe(honest);
  });

  it.each([
    ['is silent', 'silence'],
    ['answers 503', { status: 503 }],
  ] as const)('a node that %s changes nothing', async (_, how) => {
    const honest = await readHash();
    nodes[0]!.behave(how);
    expect(await readHash()).toBe(honest);
  });

  it('nothing is read when one lies and one is silent', async () => {
    nodes[0]!.behave(LIE);
    nodes[2]!.behave({ status: 503 });
    await expect(readHash()).rejects.toMatchObject({ code: 'nodes_disagree', chainId: 1 });
  });

  it('too few nodes are no disagreement', async () => {
    nodes[0]!.behave({ status: 503 });
    nodes[1]!.behave({ status: 503 });
    await expect(readHash()).rejects.toMatchObject({ code: 'rpc_unavailable' });
  });

  it('a block of another hash has no majority', async () => {
    const other = (first: string): Misbehaviour => ({
      result: ({ method }, honest) =>
        method === 'eth_getBlockByNumber' ? { ...(honest as object), hash: `0x${first.repeat(64)}` } : honest,
    });
    nodes[0]!.behave(other('1'));
    nodes[1]!.behave(other('2'));
    await expect(readLatestHead(client)).rejects.toMatchObject({ code: 'nodes_disagree' });
    nodes[1]!.behave('pass');
    expect((await readLatestHead(client)).hash).not.toBe(`0x${'1'.repeat(64)}`);
  });

  it('the newest block is one that two nodes have', async () => {
    const ahead: Misbehaviour = {
      result: ({ method, params }, honest) =>
        method === 'eth_getBlockByNumber' && params[0] === 'latest'
          ? { ...(honest as object), number: numberToHex(9_999) }
          : honest,
    };
    nodes[0]!.behave(ahead);
    expect((await readLatestHead(client)).number).toBe(BigInt(BLOCKS));
  });

  it('transactions and other requests go to one node', async () => {
    await client.request('eth_gasPrice', []);
    expect(nodes.map(({ methods }) => methods.includes('eth_gasPrice'))).toEqual([true, false, false]);
  });
});
