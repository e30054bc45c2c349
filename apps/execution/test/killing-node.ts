import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * When the client's process is killed: at the nth request of a method, before or after the node receives it.
 */
export interface KillPoint {
  method: string;
  nth: number;
  when: 'before' | 'after';
  /** Counts only requests that follow a response with a receipt. */
  isIncluded?: true;
}

/** A node in front of a real one that kills its client at a chosen moment. */
export interface KillingNode {
  url: string;
  /**
   * Calls `kill` once at the point. Afterwards no request has a response until it is armed or disarmed again.
   */
  arm(point: KillPoint, kill: () => void): void;
  disarm(): void;
  close(): Promise<void>;
}

export async function startKillingNode(behindUrl: string): Promise<KillingNode> {
  let armed: { point: KillPoint; kill: () => void; seen: number; hasReceipt: boolean } | null = null;
  let isDead = false;
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on(
      'end',
      () => void respond(Buffer.concat(chunks).toString(), response).catch(() => response.destroy()),
    );
  });

  async function respond(body: string, response: ServerResponse): Promise<void> {
    if (isDead) return;
    const { method } = JSON.parse(body) as { method: string };
    const counts =
      armed?.point.method === method && (armed.hasReceipt || armed.point.isIncluded === undefined);
    const isPoint = armed !== null && counts && ++armed.seen === armed.point.nth;
    const { point, kill } = armed ?? {};
    if (isPoint && point?.when === 'before') return die(kill);
    const honest = await fetch(behindUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const text = await honest.text();
    if (isPoint) return die(kill);
    if (armed !== null && method === 'eth_getTransactionReceipt' && isFound(text)) armed.hasReceipt = true;
    if (!isDead) response.setHeader('content-type', 'application/json').end(text);
  }

  function die(kill: (() => void) | undefined): void {
    isDead = true;
    kill?.();
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arm: (point, kill) => {
      isDead = false;
      armed = { point, kill, seen: 0, hasReceipt: false };
    },
    disarm: () => {
      isDead = false;
      armed = null;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function isFound(text: string): boolean {
  const { result } = JSON.parse(text) as { result?: object | null };
  return result !== null && result !== undefined;
}
