import { Injectable } from '@nestjs/common';
import { type Fees, bumpedFees, currentFees, sendRaw, transactionCount } from '@plimsoll/evm';
import { type Address, type TransactionSerializableEIP1559 } from 'viem';
import { Clock } from '@plimsoll/service-kit';
import { type ExecutionChain, ChainsService } from '../chains/chains.service';
import { ExecutionConfig } from '../config';
import type { StepRow } from '../executions/execution-row';
import { KeyStore, signTransaction } from '../signing/key-store';
import { AttemptsRepository } from './attempts.repository';
import type { SignedAttempt, StoredRun, Submission } from './submission';
import { type SubmissionChange, SubmissionsRepository } from './submissions.repository';

const GWEI = 10n ** 9n;
/** Gas of an empty transaction. */
const CANCEL_GAS = 21_000n;

/** Signs, stores and sends transactions, always in this order. */
@Injectable()
export class AttemptsService {
  constructor(
    private readonly config: ExecutionConfig,
    private readonly chains: ChainsService,
    private readonly keys: KeyStore,
    private readonly submissions: SubmissionsRepository,
    private readonly attempts: AttemptsRepository,
    private readonly clock: Clock,
  ) {}

  of(submission: Submission): Promise<SignedAttempt[]> {
    return this.attempts.of(submission.id);
  }

  /**
   * Signs a run with a new nonce and stores both, with the other changes.
   * @throws ChainReadError, LeaseLost
   */
  async signFirst(
    submission: Submission,
    run: StoredRun,
    change: SubmissionChange,
    steps: StepRow[],
  ): Promise<Submission> {
    const { client } = this.chainOf(submission);
    const sender = this.sender();
    const [fees, onChain] = await Promise.all([
      currentFees(client, this.cap()),
      transactionCount(client, sender),
    ]);
    const atMs = this.clock.now();
    return this.submissions.change(submission, atMs, async (tx) => {
      const nonce = await this.submissions.reserveNonce(tx, submission.chainId, sender, onChain);
      const signed = await this.sign(submission.chainId, run, { nonce, attempt: 1, kind: 'run', fees, atMs });
      await this.attempts.insert(tx, submission.id, submission.chainId, signed);
      return {
        change: { ...change, status: 'running', run, transactionHash: signed.hash },
        steps: [...steps, stepOf('signed', atMs, signed.hash, `nonce ${nonce}`)],
      };
    });
  }

  /**
   * Replaces the newest transaction by the same run, or by an empty transaction, with a higher fee. Returns
   * null when the cap allows no higher fee.
   * @throws ChainReadError, LeaseLost
   */
  async replace(
    submission: Submission,
    newest: SignedAttempt,
    kind: SignedAttempt['kind'],
  ): Promise<Submission | null> {
    const { client } = this.chainOf(submission);
    const fees = bumpedFees(newest, await currentFees(client, this.cap()), this.cap());
    if (!fees || !submission.run) return null;
    const { nonce } = newest;
    const atMs = this.clock.now();
    const attempt = newest.attempt + 1;
    const signed = await this.sign(submission.chainId, submission.run, { nonce, attempt, kind, fees, atMs });
    const why =
      kind === 'cancel'
        ? 'by an empty transaction with the same nonce'
        : 'by the same transaction with a higher fee';
    return this.submissions.change(submission, atMs, async (tx) => {
      await this.attempts.insert(tx, submission.id, submission.chainId, signed);
      return {
        change: { transactionHash: signed.hash },
        steps: [stepOf('replaced', atMs, signed.hash, why)],
      };
    });
  }

  /**
   * Sends an attempt to the node, and publishes it the first time.
   * @throws ChainReadError, LeaseLost
   */
  async send(submission: Submission, attempt: SignedAttempt): Promise<Submission> {
    const complaint = await sendRaw(this.chainOf(submission).client, attempt.raw);
    if (complaint !== null) throw new Error(`the node rejects ${attempt.hash}: ${complaint}`);
    const atMs = this.clock.now();
    if (attempt.sentAtMs !== null) return submission;
    return this.submissions.change(submission, atMs, async (tx) => {
      await this.attempts.markSent(tx, attempt.hash, atMs);
      return { change: {}, steps: [stepOf('sent', atMs, attempt.hash, null)] };
    });
  }

  private async sign(
    chainId: number,
    run: StoredRun,
    {
      nonce,
      attempt,
      kind,
      fees,
      atMs,
    }: { nonce: number; attempt: number; fees: Fees; atMs: number } & Pick<SignedAttempt, 'kind'>,
  ): Promise<SignedAttempt> {
    const sender = this.sender();
    const what =
      kind === 'run'
        ? { to: run.executor, data: run.data, gas: BigInt(run.gas) }
        : { to: sender, gas: CANCEL_GAS };
    const transaction: TransactionSerializableEIP1559 = {
      type: 'eip1559',
      chainId,
      nonce,
      maxFeePerGas: fees.maxFee,
      maxPriorityFeePerGas: fees.priorityFee,
      value: 0n,
      ...what,
    };
    const { raw, hash } = await signTransaction(this.keys, transaction);
    return { attempt, kind, sender, nonce, hash, raw, ...fees, signedAtMs: atMs, sentAtMs: null };
  }

  private chainOf({ chainId }: Submission): ExecutionChain {
    const chain = this.chains.find(chainId);
    if (chain) return chain;
    throw new Error(`chain ${chainId} is no longer configured: set RPC_URL_${chainId}`);
  }

  private sender(): Address {
    const address = this.keys.address();
    if (address !== null) return address;
    throw new Error('the key no longer exists: set KEYSTORE_FILE');
  }

  private cap(): bigint {
    return BigInt(this.config.MAX_FEE_GWEI) * GWEI;
  }
}

export function stepOf(
  name: StepRow['name'],
  atMs: number,
  transactionHash: string | null,
  detail: string | null,
  block: number | null = null,
): StepRow {
  return { name, atMs, detail, transactionHash, block };
}
