import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import { Pool } from 'pg';
import { inTransaction } from '../database/transaction';
import type { Answer, Commit, Committed } from './answer';
import { IdempotencyRepository, type KeyedCall } from './idempotency.repository';
import { IDEMPOTENCY_REPLAYED_HEADER, type IdempotentCall } from './idempotent-call';

/** How long a call waits for another one with its key. */
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
 * Idempotency-Key for handlers that create or execute something (decisions.md, Errors): the same key and body of one
 * account on one path within 24 hours gets the first answer, with `Idempotency-Replayed: true`.
 *
 * The key is claimed before the work begins, so that what is sent to others (a webhook) is sent once too, and no
 * connection is held meanwhile. The answer is written in the transaction of the effect. A process that ends before the
 * commit leaves a claim that ends after a minute; one that ends after it leaves the answer.
 */
@Injectable()
export class Idempotency {
  private readonly logger = new Logger(Idempotency.name);

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly repository: IdempotencyRepository,
  ) {}

  /**
   * Answers a call by `work`, or by what work answered the first time. Status and headers go to the call's reply.
   * @param work checks what it must, then has its effect through `commit`; without a key that is a plain transaction
   * @throws idempotency_mismatch; conflict (Retry-After) while another call with the key is under way for 2 s
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

  /** The stored answer; null when the key is claimed. */
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

  /** What cannot be released ends by itself. */
  async #release(call: KeyedCall, claim: string): Promise<void> {
    try {
      await this.repository.release(call, claim);
    } catch (error) {
      this.logger.warn({ msg: 'an idempotency key is not released; its claim ends in a minute', err: error });
    }
  }

  #send<T>({ reply }: IdempotentCall, { status, headers, body }: Answer<T>): T {
    void reply.status(status).headers(headers ?? {});
    return body;
  }
}
