import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import { LuaEngine } from '../scripting/lua-engine';
import { Scripts } from '../scripting/scripts';
import { serveConnection } from './connection';
import { PubSub } from './pub-sub';
import type { SharedState } from './session';
import { type Moment, Store } from './store';

export interface LocalRedisOptions {
  /** Folder of the append-only file. It is created if it is missing. */
  dataDir: string;
  /** 0: a free port. */
  port: number;
  /** 127.0.0.1 or ::1. */
  host?: string;
}

export interface LocalRedis {
  url: string;
  port: number;
  /** Resolves when the server has stopped after `close`. Rejects when the disk failed on a change. */
  stopped: Promise<void>;
  /** Ends all connections, writes the file to the disk and stops. */
  close(): Promise<void>;
}

const LOOPBACK = new Set(['127.0.0.1', '::1']);
const MOST_CLIENTS = 1_000;
const EXPIRY_MS = 100;
const SYNC_MS = 1_000;

/**
 * Starts a Redis for one machine. Throws when the address is not loopback, the port is taken or the file is
 * damaged.
 */
export async function startLocalRedis({
  dataDir,
  port,
  host = '127.0.0.1',
}: LocalRedisOptions): Promise<LocalRedis> {
  if (!LOOPBACK.has(host)) {
    throw new Error(
      `The local Redis listens on 127.0.0.1 or ::1 only, not on ${host}. Use a genuine Redis for a network.`,
    );
  }
  const engine = await LuaEngine.create(() => performance.now());
  const store = new Store(dataDir, currentMoment);
  const running = new RunningServer({
    store,
    engine,
    scripts: new Scripts(engine),
    pubSub: new PubSub(),
    now: currentMoment,
    info: () => infoOf(store),
  });
  const bound = await running.listen(port, host);
  return {
    url: `redis://${host === '::1' ? '[::1]' : host}:${bound}`,
    port: bound,
    stopped: running.stopped,
    close: () => running.close(),
  };
}

function currentMoment(): Moment {
  const exact = performance.timeOrigin + performance.now();
  const ms = Math.floor(exact);
  return { ms, us: Math.floor((exact - ms) * 1_000) };
}

function infoOf(store: Store): string {
  const lines = [
    '# Server',
    'redis_version:7.2.0',
    'redis_mode:standalone',
    `process_id:${process.pid}`,
    '# Persistence',
    'loading:0',
    'aof_enabled:1',
    '# Memory',
    `used_memory:${process.memoryUsage().heapUsed}`,
    '# Replication',
    'role:master',
    '# Keyspace',
    ...(store.size > 0 ? [`db0:keys=${store.size},expires=0,avg_ttl=0`] : []),
  ];
  return lines.map((line) => `${line}\r\n`).join('');
}

class RunningServer {
  readonly stopped: Promise<void>;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private readonly timers: NodeJS.Timeout[] = [];
  private lastId = 0;
  private isClosed = false;
  private resolveStopped!: () => void;
  private rejectStopped!: (error: Error) => void;

  constructor(private readonly shared: SharedState) {
    this.server = createServer({ noDelay: true }, (socket) => this.serve(socket));
    this.stopped = new Promise((resolve, reject) => {
      this.resolveStopped = resolve;
      this.rejectStopped = reject;
    });
    // The process of a caller that ignores `stopped` must not end because of its rejection.
    this.stopped.catch(() => undefined);
  }

  async listen(port: number, host: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, resolve);
    });
    const { store } = this.shared;
    this.timers.push(
      setInterval(() => this.orFail(() => store.removeExpired()), EXPIRY_MS),
      setInterval(() => this.orFail(() => store.sync()), SYNC_MS),
    );
    return (this.server.address() as AddressInfo).port;
  }

  async close(failure?: Error): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const timer of this.timers) clearInterval(timer);
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
    if (!failure) this.shared.store.close();
    this.shared.engine.close();
    if (failure) this.rejectStopped(failure);
    else this.resolveStopped();
  }

  private serve(socket: Socket): void {
    if (this.sockets.size >= MOST_CLIENTS) {
      socket.end('-ERR max number of clients reached\r\n');
      return;
    }
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    this.lastId += 1;
    // A change that cannot be stored must not be acknowledged, so the server ends.
    serveConnection(this.lastId, socket, this.shared, (error) => void this.close(error));
  }

  private orFail(work: () => void): void {
    try {
      work();
    } catch (error) {
      void this.close(error as Error);
    }
  }
}
