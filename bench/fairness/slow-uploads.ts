import { type Socket, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { startGatewayStack } from '../gateway/gateway-stack';
import { atRate } from './at-rate';
import { inPairs, type Scene } from './pairs';

const SLOW_CLIENTS = 200;
/** An account may have 64 calls in flight at a service. These clients need several. */
const SLOW_ACCOUNTS = 4;
const ANNOUNCED_BYTES = 1_000;
/** Every second client stops after its first byte. The others send one in this time. */
const TRICKLE_MS = 1_000;
const REOPEN_MS = 500;
/** The first uploads have got their 408, and the next ones are open. */
const HEAD_START_MS = 11_000;
const PER_SECOND = 100;
const PER_MINUTE = 1_000_000;
const PATH = '/v1/simulate/what-if';
const BODY = JSON.stringify({ positionId: 'pos_1b9XkPzQ0sVf3mLr7TnYcA', scenarios: [] });

/** Uploads of other accounts that stop or trickle, to the same service as the light account. */
export const slowUploads: Scene = async (pairs, seconds) => {
  const stack = await startGatewayStack(1);
  const pools: Pool[] = [];
  try {
    const gateway = await stack.startGateway();
    const light = await stack.createAccount('enterprise', PER_MINUTE);
    const slow: string[] = [];
    for (let i = 0; i < SLOW_ACCOUNTS; i += 1) {
      slow.push((await stack.createAccount('enterprise', PER_MINUTE)).key);
    }
    const pool = new Pool(gateway.url, { connections: 32 });
    pools.push(pool);
    const measure = (): Promise<number[]> =>
      atRate(PER_SECOND, seconds, async () => {
        const { statusCode, body } = await pool.request({
          method: 'POST',
          path: PATH,
          headers: { 'x-api-key': light.key, 'content-type': 'application/json' },
          body: BODY,
        });
        await body.dump();
        if (statusCode !== 200) throw new Error(`a call of the light account got ${statusCode}`);
      });
    await measure();
    const statuses: Record<string, number> = {};
    const result = await inPairs(pairs, measure, async () => {
      const clients = Array.from({ length: SLOW_CLIENTS }, (_, at) => {
        const key = slow[at % SLOW_ACCOUNTS] ?? '';
        return new SlowClient(Number(new URL(gateway.url).port), key, at % 2 === 0, statuses);
      });
      await delay(HEAD_START_MS);
      try {
        return await measure();
      } finally {
        for (const client of clients) client.close();
      }
    });
    return { slowClients: SLOW_CLIENTS, slowResponses: statuses, ...result };
  } finally {
    await Promise.all(pools.map((pool) => pool.destroy()));
    await stack.stop();
  }
};

/** Uploads too slowly, again and again. */
class SlowClient {
  private socket: Socket | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly port: number,
    private readonly key: string,
    private readonly isTrickling: boolean,
    private readonly statuses: Record<string, number>,
  ) {
    this.open();
  }

  close(): void {
    this.isClosed = true;
    clearInterval(this.timer);
    this.socket?.destroy();
  }

  private open(): void {
    if (this.isClosed) return;
    const socket = connect(this.port, '127.0.0.1');
    this.socket = socket;
    socket.write(
      `POST ${PATH} HTTP/1.1\r\nHost: bench\r\nx-api-key: ${this.key}\r\nContent-Length: ${ANNOUNCED_BYTES}\r\n\r\n{`,
    );
    if (this.isTrickling) this.timer = setInterval(() => socket.write(' '), TRICKLE_MS);
    socket.on('data', (bytes: Buffer) => {
      const status = bytes.toString('latin1').slice(9, 12);
      this.statuses[status] = (this.statuses[status] ?? 0) + 1;
      socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(this.timer);
      if (!this.isClosed) this.timer = setTimeout(() => this.open(), REOPEN_MS);
    });
  }
}
