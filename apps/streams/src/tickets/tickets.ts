import { createHash, randomBytes } from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type Identity, Problem, STREAM_TICKET_SECONDS, type StreamTicket } from '@plimsoll/contracts';
import { connectRedis, firstConnection, within } from '@plimsoll/service-kit';
import type Redis from 'ioredis';
import { StreamsConfig } from '../config';

const TICKET = /^tkt_[\w-]{43}$/;
const COMMAND_DEADLINE_MS = 1_000;
const FIRST_CONNECTION_DEADLINE_MS = 1_000;

/** Single-use tickets with which a browser, which cannot set headers, opens a stream. */
@Injectable()
export class Tickets implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('tickets');
  private readonly redis: Redis;

  constructor(private readonly config: StreamsConfig) {
    this.redis = connectRedis(config.REDIS_URL, 'streams-tickets');
  }

  async onModuleInit(): Promise<void> {
    await firstConnection(this.redis, FIRST_CONNECTION_DEADLINE_MS);
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }

  /** @throws Problem upstream_unavailable while Redis is unavailable */
  async make(identity: Identity): Promise<StreamTicket> {
    const ticket = `tkt_${randomBytes(32).toString('base64url')}`;
    const value = JSON.stringify(identity);
    await this.request(() => this.redis.set(this.keyOf(ticket), value, 'EX', STREAM_TICKET_SECONDS));
    return { ticket, expiresAt: new Date(Date.now() + STREAM_TICKET_SECONDS * 1_000).toISOString() };
  }

  /**
   * Returns the identity behind the ticket and invalidates the ticket. Null when the ticket does not exist or
   * was used.
   * @throws Problem upstream_unavailable while Redis is unavailable
   */
  async redeem(ticket: string): Promise<Identity | null> {
    if (!TICKET.test(ticket)) return null;
    const value = await this.request(() => this.redis.getdel(this.keyOf(ticket)));
    return value === null ? null : (JSON.parse(value) as Identity);
  }

  /** A reader of Redis finds no usable ticket. */
  private keyOf(ticket: string): string {
    const hash = createHash('sha256').update(ticket).digest('base64url');
    return `${this.config.REDIS_KEY_PREFIX}stream-ticket:${hash}`;
  }

  private async request<T>(command: () => Promise<T>): Promise<T> {
    try {
      return await within(COMMAND_DEADLINE_MS, command(), () => new Error('no response in time'));
    } catch (error) {
      this.logger.warn({ msg: 'Redis did not respond', reason: (error as Error).message });
      const detail = 'Tickets are not available now. Try again, or connect with an API key.';
      throw new Problem('upstream_unavailable', detail, { headers: { 'retry-after': '1' }, cause: error });
    }
  }
}
