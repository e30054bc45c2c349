import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { PeriodicTask, Clock } from '@plimsoll/service-kit';
import { ExecutionConfig } from '../config';
import { submissionFailures, submissionsEnded } from '../metrics';
import { Follower } from './follower';
import { Preparer } from './preparer';
import { LeaseLost, type Submission } from './submission';
import { SubmissionsRepository } from './submissions.repository';

/** Executions that a process handles at the same time. */
const CONCURRENT_SUBMISSIONS = 2;
/** A lease outlives two renewals that fail or are late. */
const RENEWALS_PER_LEASE = 3;
/** Delay before a retry after an unavailable dependency. */
const RETRY_DELAY_MS = 2_000;

/** Claims executions one by one, advances each by a step, and releases it. */
@Injectable()
export class SubmissionWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('submissions');
  private readonly running: PeriodicTask[];

  constructor(
    private readonly config: ExecutionConfig,
    private readonly submissions: SubmissionsRepository,
    private readonly preparer: Preparer,
    private readonly follower: Follower,
    private readonly clock: Clock,
  ) {
    this.running = Array.from(
      { length: CONCURRENT_SUBMISSIONS },
      (_, index) =>
        new PeriodicTask({
          name: `submissions-${index}`,
          everyMs: config.FOLLOW_POLL_MS,
          round: (signal) => this.round(signal),
          failure: 'no execution can be claimed; the worker tries again',
          random: () => this.clock.random(),
        }),
    );
  }

  onApplicationBootstrap(): void {
    for (const hand of this.running) hand.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.running.map((hand) => hand.stop()));
  }

  /** Returns true when there was one. */
  private async round(signal: AbortSignal): Promise<boolean> {
    const submission = await this.submissions.claim(this.config.LEASE_MS);
    if (!submission) return false;
    try {
      const next = await this.whileLeased(submission, signal, () => this.advance(submission));
      if (next.status === 'pending' || next.status === 'running') {
        // A transaction that was just signed is sent immediately.
        const isFresh = submission.status === 'pending';
        await this.submissions.defer(next, isFresh ? 0 : this.config.FOLLOW_POLL_MS);
      } else {
        submissionsEnded.inc({ status: next.status, reason: next.failure?.code ?? 'none' });
      }
    } catch (error) {
      await this.blocked(submission, error);
    }
    return true;
  }

  /**
   * Renews the lease until the work or its round ends. Without it, work that takes longer than a lease would
   * lose the lease at every attempt.
   */
  private async whileLeased<T>(
    submission: Submission,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> {
    const { LEASE_MS } = this.config;
    const renewing = setInterval(() => {
      if (signal.aborted) return clearInterval(renewing);
      // A failure has no effect of its own: work without a lease writes nothing.
      this.submissions.renew(submission, LEASE_MS).catch(() => undefined);
    }, LEASE_MS / RENEWALS_PER_LEASE);
    try {
      return await work();
    } finally {
      clearInterval(renewing);
    }
  }

  private advance(submission: Submission): Promise<Submission> {
    return submission.status === 'pending'
      ? this.preparer.prepare(submission)
      : this.follower.follow(submission);
  }

  private async blocked(submission: Submission, error: unknown): Promise<void> {
    if (error instanceof LeaseLost) return;
    submissionFailures.inc();
    this.logger.warn({
      msg: 'an execution is delayed; the worker tries again',
      executionId: submission.id,
      err: error,
    });
    await this.submissions.defer(submission, RETRY_DELAY_MS * (0.5 + this.clock.random()));
  }
}
