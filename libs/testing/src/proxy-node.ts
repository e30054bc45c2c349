import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

interface RpcRequest {
  id: number;
  method: string;
  params: readonly unknown[];
}

/** The behaviour of a node on a request: it forwards it, sends nothing, or sends its own response. */
export type Misbehaviour =
  | 'pass'
  | 'silence'
  | { status: number }
  | { error: number }
  | { result: (request: RpcRequest, honest: unknown) => unknown };

/** A node in front of a real one whose behaviour a test can change. */
export interface ProxyNode {
  url: string;
  /** Requested methods, in order. */
  methods: string[];
  behave(how: Misbehaviour): void;
  close(): Promise<void>;
}

/** Starts a node that forwards every request to another node until the test sets another behaviour. */
export async function startProxyNode(behindUrl: string): Promise<ProxyNode> {
  let how: Misbehaviour = 'pass';
  const methods: string[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => void respond(Buffer.concat(chunks).toString(), response));
  });

  async function respond(body: string, response: ServerResponse): Promise<void> {
    const request = JSON.parse(body) as RpcRequest;
    methods.push(request.method);
    const reply = (more: object): void =>
      void response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ jsonrpc: '2.0', id: request.id, ...more }));
    if (how === 'silence') return;
    if (how !== 'pass' && 'status' in how) return void response.writeHead(how.status).end();
    if (how !== 'pass' && 'error' in how) return reply({ error: { code: how.error, message: 'no' } });
    const honest = await fetch(behindUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const { result, error } = (await honest.json()) as { result?: unknown; error?: object };
    if (error) return reply({ error });
    reply({ result: how === 'pass' ? result : how.result(request, result) });
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    methods,
    behave: (next) => void (how = next),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
