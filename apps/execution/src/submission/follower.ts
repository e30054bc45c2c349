import { Injectable } from '@nestjs/common';
import {
  type ChainClient,
  type Inclusion,
  inclusionOf,
  isKnown,
  readBlockHash,
  readLatestHead,
  transactionCount,
} from '@plimsoll/evm';
import { runOutcomes } from '@plimsoll/executor';
import { Clock } from '@plimsoll/service-kit';
import { ChainsService } from '../chains/chains.service';
import { ExecutionConfig } from '../config';
import { Switches } from '../executions/switches';
import { Refusal } from '../planning/refusal';
import { healthFactorNumber } from '../planning/usd';
import { AttemptsService, stepOf } from './attempts.service';
import type { SignedAttempt, Submission } from './submission';
import { type SubmissionChange, SubmissionsRepository } from './submissions.repository';

/** The attempt that is in a block, among all attempts of the execution. */
interface FoundAttempt {
  attempt: SignedAttempt;
  attempts: readonly SignedAttempt[];
  inclusion: Inclusion;
}

/**
 * Follows a signed transaction to its end: sends it, repeats it, raises its fee when it is stuck, and counts
 * its blocks.
 */
@Injectable()
export class Follower {
  constructor(
    private readonly config: ExecutionConfig,
    private readonly chains: ChainsService,
    private readonly attempts: AttemptsService,
    private readonly submissions: SubmissionsRepository,
    private readonly switches: Switches,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes one check with its consequences.
   * @throws ChainReadError while the node is unavailable, LeaseLost
   */
  async follow(submission: Submission): Promise<Submission> {
    const { client } = this.chains.find(submission.chainId) ?? {};
    if (!client) throw new Error(`chain ${submission.chainId} is no longer configured`);
    const attempts = await this.attempts.of(submission);
    const [newest] = attempts;
    if (!newest) throw new Error(`execution ${submission.id} runs without a transaction`);
    for (const attempt of attempts) {
      const inclusion = await inclusionOf(client, attempt.hash);
      if (inclusion) return this.included(client, submission, { attempt, attempts, inclusion });
    }
    const current = submission.includedHash === null ? submission : await this.reorged(submission);
    return this.push(client, current, newest);
  }

  /** The transaction is in no block. */
  private async push(
    client: ChainClient,
    submission: Submission,
    newest: SignedAttempt,
  ): Promise<Submission> {
    const nowMs = this.clock.now();
    if (newest.kind === 'run' && (await this.isGivenUp(submission, newest, nowMs))) {
      const replaced = await this.attempts.replace(submission, newest, 'cancel');
      if (replaced) return this.sendNewest(replaced);
    }
    const isStuck = nowMs - newest.signedAtMs > this.config.STUCK_MS;
    if (isStuck && (await transactionCount(client, newest.sender)) > newest.nonce) {
      return this.end(submission, 'failed', {
        code: 'unconfirmed',
        message:
          'Another transaction of the service’s key used its nonce. The outcome of this one is unknown.',
      });
    }
    if (isStuck) {
      const replaced = await this.attempts.replace(submission, newest, newest.kind);
      if (replaced) return this.sendNewest(replaced);
    }
    if (newest.sentAtMs !== null && (await isKnown(client, newest.hash))) return submission;
    return this.attempts.send(submission, newest);
  }

  private async sendNewest(submission: Submission): Promise<Submission> {
    const [newest] = await this.attempts.of(submission);
    return newest ? this.attempts.send(submission, newest) : submission;
  }

  /** The executor no longer accepts it, or it was switched off before any node had it. */
  private async isGivenUp(
    { run, chainId, protocol }: Submission,
    newest: SignedAttempt,
    nowMs: number,
  ): Promise<boolean> {
    if (nowMs > (run?.deadlineSeconds ?? 0) * 1_000) return true;
    if (newest.attempt > 1 || newest.sentAtMs !== null) return false;
    return this.switches.check(chainId, protocol).then(
      () => false,
      (error: unknown) => {
        if (error instanceof Refusal) return true;
        throw error;
      },
    );
  }

  /** The transaction is in a block. Counts its confirmations. */
  private async included(
    client: ChainClient,
    submission: Submission,
    found: FoundAttempt,
  ): Promise<Submission> {
    const { inclusion } = found;
    const current =
      submission.includedHash === inclusion.blockHash
        ? submission
        : await this.publishInclusion(submission, inclusion);
    const head = await readLatestHead(client);
    const confirmations = Math.max(Number(head.number) - inclusion.block + 1, 0);
    const counted = await this.submissions.confirm(current, confirmations);
    if (confirmations < confirmationsNeeded(this.config, submission.chainId)) return counted;
    // The receipt may belong to a block that was just replaced.
    if ((await readBlockHash(client, BigInt(inclusion.block))) !== inclusion.blockHash) return counted;
    return this.conclude(counted, found);
  }

  private async publishInclusion(
    submission: Submission,
    { hash, block, blockHash }: Inclusion,
  ): Promise<Submission> {
    const before = submission.includedHash === null ? submission : await this.reorged(submission);
    const atMs = this.clock.now();
    const change = { transactionHash: hash, includedBlock: block, includedHash: blockHash, confirmations: 1 };
    const steps = [stepOf('included', atMs, hash, null, block)];
    return this.submissions.change(before, atMs, () => Promise.resolve({ change, steps }));
  }

  /** Its block was orphaned. */
  private async reorged(submission: Submission): Promise<Submission> {
    const atMs = this.clock.now();
    const { transactionHash, includedBlock } = submission;
    const change = { includedBlock: null, includedHash: null, confirmations: 0 };
    const steps = [stepOf('reorged', atMs, transactionHash, 'Its block was replaced.', includedBlock)];
    return this.submissions.change(submission, atMs, () => Promise.resolve({ change, steps }));
  }

  private conclude(
    submission: Submission,
    { attempt, attempts, inclusion }: FoundAttempt,
  ): Promise<Submission> {
    if (attempt.kind === 'cancel') {
      return this.end(submission, 'cancelled', whyCancelled(submission, attempts), inclusion);
    }
    const outcomes = submission.run ? runOutcomes(submission.run.executor, inclusion.logs) : [];
    const outcome = outcomes.find(({ policyId }) => policyId === submission.run?.policyId);
    if (!inclusion.success || !outcome) {
      const message = 'The executor contract rejected it in its block. No tokens were moved.';
      return this.end(submission, 'failed', { code: 'reverted', message }, inclusion);
    }
    const healthFactorAfter = healthFactorNumber(outcome.healthFactorAfter);
    return this.end(submission, 'completed', null, inclusion, { healthFactorAfter });
  }

  private end(
    submission: Submission,
    status: 'completed' | 'failed' | 'cancelled',
    failure: Submission['failure'],
    inclusion?: Inclusion,
    more: SubmissionChange = {},
  ): Promise<Submission> {
    const atMs = this.clock.now();
    const [hash, block] = [inclusion?.hash ?? submission.transactionHash, inclusion?.block ?? null];
    const steps = [
      ...(inclusion ? [stepOf('confirmed', atMs, hash, `${submission.confirmations} blocks`, block)] : []),
      stepOf(status, atMs, hash, failure?.message ?? null),
    ];
    return this.submissions.change(submission, atMs, () =>
      Promise.resolve({ change: { status, failure, ...more }, steps }),
    );
  }
}

/** Before its deadline, only a switched-off transaction is replaced by an empty one. */
function whyCancelled(
  { run }: Submission,
  attempts: readonly SignedAttempt[],
): NonNullable<Submission['failure']> {
  const first = attempts.findLast(({ kind }) => kind === 'cancel');
  const isLate = (first?.signedAtMs ?? 0) > (run?.deadlineSeconds ?? 0) * 1_000;
  return isLate
    ? {
        code: 'deadline_passed',
        message: 'It was in no block by its deadline, and an empty transaction replaced it.',
      }
    : {
        code: 'switched_off',
        message: 'Executions were switched off before it was sent, and an empty transaction replaced it.',
      };
}

/** Returns the blocks, including its own, after which a transaction is final on a chain. */
function confirmationsNeeded(
  { CONFIRMATIONS, DEFAULT_CONFIRMATIONS }: Pick<ExecutionConfig, 'CONFIRMATIONS' | 'DEFAULT_CONFIRMATIONS'>,
  chainId: number,
): number {
  const own = CONFIRMATIONS.split(',')
    .map((pair) => pair.split(':'))
    .find(([chain]) => chain === String(chainId));
  return own ? Number(own[1]) : DEFAULT_CONFIRMATIONS;
}
