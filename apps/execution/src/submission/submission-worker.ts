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
          round: () => this.round(),
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
  private async round(): Promise<boolean> {
    const submission = await this.submissions.claim(this.config.LEASE_MS);
    if (!submission) return false;
    try {
      const next = await this.advance(submission);
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
