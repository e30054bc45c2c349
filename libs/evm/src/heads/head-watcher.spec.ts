import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { waitFor } from '@plimsoll/testing';
import { WebSocketServer } from 'ws';
import type { ChainClient } from '../rpc/chain-client';
import type { RpcHeader } from './head';
import { type HeadUpdate, HeadWatcher } from './head-watcher';

const hashOf = (number: number): `0x${string}` => `0x${String(number).padStart(64, '0')}`;
const header = (number: number): RpcHeader => ({
  number: `0x${number.toString(16)}`,
  hash: hashOf(number),
  parentHash: hashOf(number - 1),
  timestamp: `0x${number.toString(16)}`,
});

/** A node whose responses and pushes the test decides. */
async function startNode() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const asked: { method: string; respond: (result: unknown) => void }[] = [];
  const client: ChainClient = {
    chainId: 1,
    request: <T>(method: string) =>
      new Promise<T>((resolve) => asked.push({ method, respond: (result) => resolve(result as T) })),
  };
  const push = (message: object): void =>
    server.clients.forEach((socket) => socket.send(JSON.stringify(message)));
  return {
    client,
    wsUrl: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isConnected: () => server.clients.size === 1,
    subscribed: () => push({ id: 1, result: '0x1' }),
    pushHead: (number: number) => push({ params: { result: header(number) } }),
    respondTo: (method: string, result: unknown) =>
      asked.filter((each) => each.method === method).forEach(({ respond }) => respond(result)),
    hasAsked: (method: string) => asked.some((each) => each.method === method),
    close: () => {
      server.clients.forEach((socket) => socket.terminate());
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('HeadWatcher', () => {
  it('reports a pushed head although the response to an earlier poll arrives after it', async () => {
    const node = await startNode();
    const updates: HeadUpdate[] = [];
    const { client, wsUrl } = node;
    let received = 0;
    const watcher = new HeadWatcher({
      client,
      wsUrl,
      onHead: (update) => void updates.push(update),
      onResponse: () => (received += 1),
    });
    const numbers = (): number[] => updates.map(({ head }) => Number(head.number));
    await waitFor(node.isConnected, { message: 'connected' });
    node.subscribed();
    node.pushHead(5);
    await waitFor(() => updates.length === 1, { message: 'block 5' });
    node.pushHead(7);
    await waitFor(() => node.hasAsked('eth_getBlockByHash'), { message: 'block 6 is read' });
    node.pushHead(8);
    await waitFor(() => received === 3, { message: 'block 8 is received' });
    node.respondTo('eth_getBlockByNumber', header(7));
    await new Promise(setImmediate);
    node.respondTo('eth_getBlockByHash', header(6));
    await waitFor(() => numbers().includes(8), { message: 'block 8' });
    expect(numbers()).toEqual([5, 7, 8]);
    await watcher.close();
    await node.close();
  });
});
