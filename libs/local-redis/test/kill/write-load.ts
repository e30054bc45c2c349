import { connectRedis, firstConnection } from '@plimsoll/service-kit';
import type Redis from 'ioredis';

const CONNECT_MS = 5_000;
const AGAIN_MS = 5;
const LONG_MS = 3_600_000;
const SHORT_MS = 20;

/** Adds 1 to two counters: both or none, whenever the process is killed. */
const BOTH_COUNTERS = `
redis.call('INCR', KEYS[1])
return redis.call('INCR', KEYS[2])`;

/** The acknowledgements of one writer, by its keys. */
export interface Acknowledged {
  /**
   * Fields of a hash, members of a sorted set, and strings that last an hour: the numbers that were written.
   */
  fields: number[];
  members: number[];
  lasting: number[];
  /** The last number that was written to a string. */
  latest: number;
  /** The last reported counters of a script, and of a transaction. */
  scripted: number;
  transacted: number;
  /** Keys that were deleted, and keys that expired. */
  deleted: number[];
  ended: number[];
}

/** One client that writes all the time, with the connection that services use. */
export interface Writer {
  readonly name: string;
  readonly confirmed: Acknowledged;
  /** Writes without a received reply. */
  readonly unknown: number;
  /** When the last acknowledgement arrived, milliseconds of `performance.now()`. */
  readonly lastAt: number;
  stop(): Promise<void>;
}

/** The key of a writer for one kind of write. */
export function keyOf(writer: string, kind: string): string {
  return `${writer}:${kind}`;
}

export async function startWriter(url: string, name: string, valueBytes: number): Promise<Writer> {
  const redis = connectRedis(url, name);
  await firstConnection(redis, CONNECT_MS);
  const writer = new RunningWriter(redis, name, 'x'.repeat(valueBytes));
  writer.start();
  return writer;
}

class RunningWriter implements Writer {
  readonly confirmed: Acknowledged = {
    fields: [],
    members: [],
    lasting: [],
    latest: -1,
    scripted: 0,
    transacted: 0,
    deleted: [],
    ended: [],
  };
  unknown = 0;
  lastAt = 0;
  private isStopped = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly redis: Redis,
    readonly name: string,
    private readonly padding: string,
  ) {}

  start(): void {
    this.running = this.run();
    // `stop` reports it.
    this.running.catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
    this.redis.disconnect();
  }

  private async run(): Promise<void> {
    const kinds = [
      this.setField,
      this.addMember,
      this.setLasting,
      this.setLatest,
      this.runScript,
      this.runTransaction,
      this.setAndDelete,
      this.setAndEnd,
    ];
    for (let number = 0; !this.isStopped; number += 1) {
      try {
        await kinds[number % kinds.length]!.call(this, number);
        this.lastAt = performance.now();
      } catch {
        this.unknown += 1;
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
  }

  private async setField(number: number): Promise<void> {
    await this.redis.hset(this.key('hash'), String(number), this.padding);
    this.confirmed.fields.push(number);
  }

  private async addMember(number: number): Promise<void> {
    await this.redis.zadd(this.key('zset'), number, `member ${number}`);
    this.confirmed.members.push(number);
  }

  private async setLasting(number: number): Promise<void> {
    await this.redis.set(this.key(`lasting:${number}`), number, 'PX', LONG_MS);
    this.confirmed.lasting.push(number);
  }

  private async setLatest(number: number): Promise<void> {
    await this.redis.set(this.key('latest'), number);
    this.confirmed.latest = number;
  }

  private async runScript(): Promise<void> {
    const counters = [this.key('first'), this.key('second')];
    this.confirmed.scripted = Number(await this.redis.eval(BOTH_COUNTERS, counters.length, ...counters));
  }

  private async runTransaction(number: number): Promise<void> {
    const replies = await this.redis
      .multi()
      .hset(this.key('transactions'), String(number), this.padding)
      .incr(this.key('transaction-count'))
      .exec();
    this.confirmed.transacted = Number(replies?.[1]?.[1]);
  }

  private async setAndDelete(number: number): Promise<void> {
    await this.redis.set(this.key(`deleted:${number}`), number);
    await this.redis.del(this.key(`deleted:${number}`));
    this.confirmed.deleted.push(number);
  }

  private async setAndEnd(number: number): Promise<void> {
    await this.redis.set(this.key(`ended:${number}`), number, 'PX', SHORT_MS);
    this.confirmed.ended.push(number);
  }

  private key(kind: string): string {
    return keyOf(this.name, kind);
  }
}
