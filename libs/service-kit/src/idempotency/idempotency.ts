import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import { Pool } from 'pg';
import { inTransaction } from '../database/transaction';
import type { Answer, Commit, Committed } from './answer';
import { IdempotencyRepository, type KeyedCall } from './idempotency.repository';
import { IDEMPOTENCY_REPLAYED_HEADER, type IdempotentCall } from './idempotent-call';

/** Longest time a request waits for another request with the same key. */
const WAIT_MS = 2_000;
const POLL_MS = 100;

const inWork = (): Problem =>
  new Problem('conflict', 'A call with this Idempotency-Key is under way. Repeat it in a second.', {
    headers: { 'retry-after': '1' },
  });

const otherBody = (): Problem =>
  new Problem(
    'idempotency_mismatch',
    'This Idempotency-Key was used with another body within 24 hours. Take a new key for a new call.',
  );

const isKeyed = (call: IdempotentCall): call is KeyedCall => call.key !== null;

/**
 * Idempotency-Key for handlers that create or execute something. The same key and body of one account on one
 * path within 24 hours returns the first response with `Idempotency-Replayed: true`.
 *
 * The key is claimed before the work begins. Requests to others (a webhook) are therefore sent once, and no
 * database connection is held during the work. The response is stored in the transaction of the effect. A
 * process that ends before the commit leaves a claim that expires after a minute. A process that ends after
 * the commit leaves the response.
 */
@Injectable()
export class Idempotency {
  private readonly logger = new Logger(Idempotency.name);

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly repository: IdempotencyRepository,
  ) {}

  /**
   * Returns the response of `work`, or the stored response of the first request. Status and headers go to the
   * request's reply.
   * @param work makes its checks and then has its effect through `commit`; without a key, `commit` is a plain
   * transaction
   * @throws idempotency_mismatch; conflict (Retry-After) when another request with the key is in progress for
   * 2 s
   */
  async answer<T>(call: IdempotentCall, work: (commit: Commit) => Promise<Committed<T>>): Promise<T> {
    if (!isKeyed(call)) {
      const commit: Commit = async (effect) => ({ committed: await inTransaction(this.pool, effect) });
      return this.#send(call, (await work(commit)).committed);
    }
    const claim = randomUUID();
    const known = await this.#claimOrFind(call, claim);
    if (known) {
      void call.reply.header(IDEMPOTENCY_REPLAYED_HEADER, 'true');
      return this.#send(call, known as Answer<T>);
    }
    try {
      return this.#send(call, (await work(this.#commitOf(call, claim))).committed);
    } catch (error) {
      await this.#release(call, claim);
      throw error;
    }
  }

  #commitOf(call: KeyedCall, claim: string): Commit {
    return (effect) =>
      inTransaction(this.pool, async (tx) => {
        const committed = await effect(tx);
        if (!(await this.repository.answer(tx, call, claim, committed))) throw inWork();
        return { committed };
      });
  }

  /** Returns the stored response, or null when the key is claimed. */
  async #claimOrFind(call: KeyedCall, claim: string): Promise<Answer<unknown> | null> {
    const deadlineMs = performance.now() + WAIT_MS;
    for (;;) {
      if (await this.repository.claim(call, claim)) return null;
      const known = await this.repository.find(call);
      if (known?.kind === 'other_body') throw otherBody();
      if (known?.kind === 'answered') return known.answer;
      if (performance.now() >= deadlineMs) throw inWork();
      await wait(POLL_MS * (0.5 + Math.random()));
    }
  }

  /** A claim that cannot be released expires. */
  async #release(call: KeyedCall, claim: string): Promise<void> {
    try {
      await this.repository.release(call, claim);
    } catch (error) {
      this.logger.warn({
        msg: 'cannot release an idempotency key; its claim expires in a minute',
        err: error,
      });
    }
  }

  #send<T>({ reply }: IdempotentCall, { status, headers, body }: Answer<T>): T {
    void reply.status(status).headers(headers ?? {});
    return body;
  }
}
