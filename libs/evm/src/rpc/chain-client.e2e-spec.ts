import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createChainClient, type ChainClient } from './chain-client';

type RpcReply = (response: ServerResponse) => void;
/** Longer than any pause of a busy machine. */
const PATIENT_MS = 10_000;

/** An HTTP server that sends these responses in turn. The last one repeats. */
const nodeThat = (...results: RpcReply[]) => nodeWithin(PATIENT_MS, ...results);

async function nodeWithin(timeoutMs: number, ...results: RpcReply[]) {
  let requests = 0;
  const server = createServer((_, response) => {
    results[Math.min(requests, results.length - 1)]?.(response);
    requests += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = createChainClient({
    chainId: 1,
    rpcUrl: `http://127.0.0.1:${port}`,
    timeoutMs,
    retryDelayMs: 1,
    random: () => 0,
  });
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { client, close, requests: () => requests };
}

const json = (body: object) => (response: ServerResponse) =>
  void response
    .setHeader('content-type', 'application/json')
    .end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }));
const error = (code: number) => json({ error: { code, message: 'no' } });
const status = (code: number) => (response: ServerResponse) => void response.writeHead(code).end();
const silence = (): void => undefined;
const request = (client: ChainClient): Promise<string> => client.request('eth_chainId', []);

describe('ChainClient', () => {
  it('retries after a transport failure or an exceeded limit, and returns the result', async () => {
    const node = await nodeThat(status(503), error(-32_005), json({ result: '0x1' }));
    expect(await request(node.client)).toBe('0x1');
    expect(node.requests()).toBe(3);
    await node.close();
  });

  it('rpc_rejected immediately when the node returns an error, whatever its code', async () => {
    for (const code of [-32_000, -32_602, 3]) {
      const node = await nodeThat(error(code));
      await expect(request(node.client)).rejects.toMatchObject({ code: 'rpc_rejected' });
      expect(node.requests()).toBe(1);
      await node.close();
    }
  });

  it('rpc_unavailable when no attempt succeeds in time', async () => {
    const node = await nodeWithin(200, silence);
    await expect(request(node.client)).rejects.toMatchObject({ code: 'rpc_unavailable' });
    expect(node.requests()).toBe(3);
    await node.close();
  });

  it('stops retrying when the budget is exhausted', async () => {
    const node = await nodeThat(status(500));
    for (let i = 0; i < 40; i += 1)
      await expect(request(node.client)).rejects.toMatchObject({ code: 'rpc_unavailable' });
    expect(node.requests()).toBeLessThan(40 + 20 + 40 * 0.2 + 1);
    await node.close();
  });
});
