import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';

/** A proxy in front of a node that counts requests. */
export interface CountingNode {
  url: string;
  requests: { total: number };
  close(): Promise<void>;
}

/**
 * Polls for a new head are not counted: they depend on time, not on wallets. PinnedCall sends the other two only to
 * anvil.
 */
const NOT_COUNTED = /"eth_getBlockByNumber","params":\["latest"|"eth_blockNumber"|"web3_clientVersion"/;

export async function startCountingNode(nodeUrl: string): Promise<CountingNode> {
  const pool = new Pool(nodeUrl, { connections: 16 });
  const requests = { total: 0 };
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks);
      if (!NOT_COUNTED.test(body.toString())) requests.total += 1;
      pool
        .request({ path: '/', method: 'POST', headers: { 'content-type': 'application/json' }, body })
        .then(async ({ statusCode, body: answer }) => {
          response.writeHead(statusCode, { 'content-type': 'application/json' });
          response.end(Buffer.from(await answer.arrayBuffer()));
        })
        .catch(() => response.destroy());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await pool.close();
    },
  };
}
