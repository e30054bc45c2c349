import { type OwnPart, type ProxyNode, startOwnEvm, startProxyNode, waitFor } from '@plimsoll/testing';
import { numberToHex } from 'viem';
import { readLatestHead } from '../heads/head';
import { createChainClient, type ChainClient } from './chain-client';

let evm: OwnPart;
let nodes: ProxyNode[];
let client: ChainClient;
let nowMs = 0;

/** A client over nodes that all have the same chain behind them. */
function clientOver(used: readonly ProxyNode[]): ChainClient {
  return createChainClient({
    chainId: 1,
    rpcUrl: used.map(({ url }) => url).join(', '),
    timeoutMs: 3_000,
    retryDelayMs: 1,
    random: () => 0.5,
    now: () => nowMs,
  });
}
const request = (): Promise<string> => client.request('eth_blockNumber', []);
const requestsOf = (node: ProxyNode, method: string): number =>
  node.methods.filter((each) => each === method).length;

beforeAll(async () => {
  evm = await startOwnEvm({ chainId: 1 });
  await fetch(evm.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_mine', params: [numberToHex(20)] }),
  });
}, 30_000);
beforeEach(async () => {
  nowMs = 0;
  nodes = await Promise.all([1, 2, 3].map(() => startProxyNode(evm.url)));
  client = clientOver(nodes);
});
afterEach(() => Promise.all(nodes.map((node) => node.close())));
afterAll(() => evm?.dispose());

describe('a chain with several nodes', () => {
  it('uses the first node as long as it is healthy', async () => {
    for (let i = 0; i < 5; i += 1) await request();
    expect(nodes.map((node) => requestsOf(node, 'eth_blockNumber'))).toEqual([5, 0, 0]);
  });

  it.each([
    ['is silent', 'silence'],
    ['answers 503', { status: 503 }],
    ['says that its limit is full (429)', { status: 429 }],
    ['says that its limit is full (-32005)', { error: -32_005 }],
  ] as const)('skips a node that %s, pauses it, and uses it again after that', async (_, how) => {
    nodes[0]!.behave(how);
    expect(await request()).toBe('0x14');
    nodes[0]!.methods.length = 0;
    await request();
    expect(nodes[0]!.methods).toEqual([]);
    nodes[0]!.behave('pass');
    nowMs += 60_000;
    await request();
    expect(requestsOf(nodes[0]!, 'eth_blockNumber')).toBe(1);
  });

  it('never uses a node of another chain', async () => {
    nodes[0]!.behave({ result: ({ method }, honest) => (method === 'eth_chainId' ? '0x38' : honest) });
    expect(await request()).toBe('0x14');
    nowMs += 60_000;
    await request();
    expect(nodes[0]!.methods).toEqual(['eth_chainId']);
  });

  it('notices a node whose head does not change, and reads the newest head from another', async () => {
    const old = { number: '0x5', hash: `0x${'05'.repeat(32)}`, parentHash: '0x00', timestamp: '0x1' };
    nodes[0]!.behave({ result: ({ method }, honest) => (method === 'eth_getBlockByNumber' ? old : honest) });
    await readLatestHead(client);
    nowMs += 6_000;
    await waitFor(async () => (await readLatestHead(client)).number === 20n, {
      message: 'the head of another node',
    });
    nodes[0]!.methods.length = 0;
    await request();
    expect(nodes[0]!.methods).toEqual([]);
  });

  it('a node that reports a head that no other has does not make the others count as late', async () => {
    const far = { number: '0xfffff', hash: `0x${'0f'.repeat(32)}`, parentHash: '0x00', timestamp: '0x1' };
    nodes[1]!.behave({ result: ({ method }, honest) => (method === 'eth_getBlockByNumber' ? far : honest) });
    await waitFor(
      async () => {
        await readLatestHead(client);
        nowMs += 6_000;
        return nodes.every((node) => requestsOf(node, 'eth_getBlockByNumber') > 0);
      },
      { message: 'requests for the heads of the other nodes' },
    );
    // Until the third has responded, the two disagree and the newer head wins.
    await waitFor(async () => (await readLatestHead(client)).number === 20n, { message: 'the honest head' });
    for (let again = 0; again < 5; again += 1) expect((await readLatestHead(client)).number).toBe(20n);
  });

  it('reads a block that one node does not have from the next, and rejects when all reject', async () => {
    nodes[0]!.behave({ error: -32_001 });
    expect(await request()).toBe('0x14');
    for (const node of nodes) node.behave({ error: -32_001 });
    await expect(request()).rejects.toMatchObject({ code: 'rpc_rejected' });
  });

  it('wrong parameters are rejected immediately', async () => {
    nodes[0]!.behave({ error: -32_602 });
    await expect(request()).rejects.toMatchObject({ code: 'rpc_rejected' });
    expect(nodes[1]!.methods).toEqual([]);
  });

  it('rpc_unavailable when all are down', async () => {
    for (const node of nodes) node.behave({ status: 502 });
    await expect(request()).rejects.toMatchObject({ code: 'rpc_unavailable' });
  });
});
