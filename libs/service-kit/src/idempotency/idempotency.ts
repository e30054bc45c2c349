import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import { Pool } from 'pg';
import { inTransaction } from '../database/transaction';
import type { StoredResponse, Commit, Committed } from './stored-response';
import { IdempotencyRepository, type KeyedRequest } from './idempotency.repository';
import { IDEMPOTENCY_REPLAYED_HEADER, type IdempotentRequest } from './idempotent-request';

/** Longest time a request waits for another request with the same key. */
const WAIT_MS = 2_000;
const POLL_MS = 100;

const inProgress = (): Problem =>
  new Problem('conflict', 'A request with this Idempotency-Key is under way. Repeat it in a second.', {
    headers: { 'retry-after': '1' },
  });

const otherBody = (): Problem =>
  new Problem(
    'idempotency_mismatch',
    'This Idempotency-Key was used with another body within 24 hours. Use a new key for a new request.',
  );

const isKeyed = (request: IdempotentRequest): request is KeyedRequest => request.key !== null;

/**
 * Idempotency-Key for handlers that create or execute something. The same key and body of one account on one
 * path within 24 hours returns the first response with `Idempotency-Replayed: true`.
 *
 * The key is claimed before the work begins. Requests to other services (a webhook) are therefore sent once,
 * and no database connection is held during the work. The response is stored in the transaction of the
 * effect. A process that ends before the commit leaves a claim that expires after a minute. A process that
 * ends after the commit leaves the response.
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
  async respond<T>(request: IdempotentRequest, work: (commit: Commit) => Promise<Committed<T>>): Promise<T> {
    if (!isKeyed(request)) {
      const commit: Commit = async (effect) => ({ committed: await inTransaction(this.pool, effect) });
      return this.#send(request, (await work(commit)).committed);
    }
    const claim = randomUUID();
    const known = await this.#claimOrFind(request, claim);
    if (known) {
      void request.reply.header(IDEMPOTENCY_REPLAYED_HEADER, 'true');
      return this.#send(request, known as StoredResponse<T>);
    }
    try {
      return this.#send(request, (await work(this.#commitOf(request, claim))).committed);
    } catch (error) {
      await this.#release(request, claim);
      throw error;
    }
  }

  #commitOf(request: KeyedRequest, claim: string): Commit {
    return (effect) =>
      inTransaction(this.pool, async (tx) => {
        const committed = await effect(tx);
        if (!(await this.repository.storeResponse(tx, request, claim, committed))) throw inProgress();
        return { committed };
      });
  }

  /** Returns the stored response, or null when the key is claimed. */
  async #claimOrFind(request: KeyedRequest, claim: string): Promise<StoredResponse<unknown> | null> {
    const deadlineMs = performance.now() + WAIT_MS;
    for (;;) {
      if (await this.repository.claim(request, claim)) return null;
      const known = await this.repository.find(request);
      if (known?.kind === 'other_body') throw otherBody();
      if (known?.kind === 'responded') return known.response;
      if (performance.now() >= deadlineMs) throw inProgress();
      await wait(POLL_MS * (0.5 + Math.random()));
    }
  }

  /** A claim that cannot be released expires. */
  async #release(request: KeyedRequest, claim: string): Promise<void> {
    try {
      await this.repository.release(request, claim);
    } catch (error) {
      this.logger.warn({
        msg: 'cannot release an idempotency key; its claim expires in a minute',
        err: error,
      });
    }
  }

  #send<T>({ reply }: IdempotentRequest, { status, headers, body }: StoredResponse<T>): T {
    void reply.status(status).headers(headers ?? {});
    return body;
  }
}
