import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from './wait-for';

/** A received request. */
export interface ReceivedRequest {
  method: string;
  /** Path and query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** The raw bytes of the body, which a signature covers. */
  body: Buffer;
  /** performance.now() when the body was complete. */
  receivedAtMs: number;
}

/** The response of the receiver. The promise may resolve late. */
export interface ReceiverResponse {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}
export type Responder = (request: ReceivedRequest) => ReceiverResponse | Promise<ReceiverResponse>;

/** A local HTTP server in place of a client's webhook endpoint. */
export interface Receiver {
  /** http://127.0.0.1:port */
  url: string;
  /** All requests so far, oldest first. */
  requests: ReceivedRequest[];
  /** Replaces the response, which is 200 with an empty body at first. */
  respondWith(responder: Responder): void;
  /** The first request, past or future, that matches. */
  waitForRequest(fits: (request: ReceivedRequest) => boolean, timeoutMs?: number): Promise<ReceivedRequest>;
  close(): Promise<void>;
}

/** Starts a receiver on `port`, or on a free one. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  let responder: Responder = () => ({ status: 200 });
  const server = createServer((incoming, outgoing) => {
    const response = async (): Promise<void> => {
      const request = await readRequest(incoming);
      requests.push(request);
      const { status, headers, body } = await responder(request);
      outgoing.writeHead(status, headers).end(body);
    };
    // A sender that aborts half-way is one of the cases under test.
    response().catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port }, resolve);
  });

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    respondWith: (next) => (responder = next),
    waitForRequest: (fits, timeoutMs) =>
      waitFor(() => requests.find(fits), {
        timeoutMs,
        message: `a request that fits; ${requests.length} came`,
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readRequest(incoming: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    body: Buffer.concat(chunks),
    receivedAtMs: performance.now(),
  };
}
