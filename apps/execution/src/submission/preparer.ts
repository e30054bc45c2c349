import { Injectable } from '@nestjs/common';
import { Problem, type RefusalReason } from '@plimsoll/contracts';
import { Unexecutable } from '@plimsoll/protocols';
import { Clock, ServiceCalls } from '@plimsoll/service-kit';
import { toWad, withHeadroom } from '../amounts/position';
import { ChainsService } from '../chains/chains.service';
import { gasLimit, planRecord } from '../executions/execution-record';
import { Switches } from '../executions/switches';
import type { DeleverageRequest } from '../planning/plan';
import { Refusal } from '../planning/refusal';
import { AttemptsService, stepOf } from './attempts.service';
import { Authorisations } from './authorisations';
import { type RunPlan, RunPlanner } from './run-planner';
import type { StoredRun, Submission } from './submission';
import { SubmissionsRepository } from './submissions.repository';

/** Temporary reasons. An execution waits for their end until its deadline. */
const TEMPORARY_REASONS: ReadonlySet<RefusalReason> = new Set([
  'stale_block',
  'price_mismatch',
  'price_unknown',
]);
/** Problems caused by the state of the chain and not by an unavailable service. */
const PERMANENT_CODES = new Set(['unsupported_execution', 'not_found']);

/** Turns an accepted execution into a signed transaction, planned again on the newest block. */
@Injectable()
export class Preparer {
  constructor(
    private readonly calls: ServiceCalls,
    private readonly chains: ChainsService,
    private readonly authorisations: Authorisations,
    private readonly planner: RunPlanner,
    private readonly switches: Switches,
    private readonly attempts: AttemptsService,
    private readonly submissions: SubmissionsRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem, ChainReadError while a dependency is unavailable; nothing has changed then */
  async prepare(submission: Submission): Promise<Submission> {
    const nowMs = this.clock.now();
    if (nowMs >= submission.deadlineMs) return this.cancel(submission, nowMs);
    try {
      await this.switches.check(submission.chainId, submission.protocol);
      const request = requestOf(submission);
      const caller = this.calls.ownCaller(nowMs);
      const place = venueOf(submission);
      // A rule's request arrives as an event, so the wallet's authorisation is checked here too.
      const chain = this.chains.find(place.chainId);
      if (chain) await this.authorisations.check(submission.accountId, place, chain, undefined);
      const planned = await this.planner.plan(caller, place, request);
      const plan = await planRecord(planned.plan, request, false);
      const simulated = stepOf('simulated', this.clock.now(), null, null, plan.block);
      if (submission.dryRun) {
        const atMs = this.clock.now();
        const steps = [simulated, stepOf('completed', atMs, null, 'Nothing was sent: a dry run.')];
        const done = { change: { plan, status: 'completed' as const }, steps };
        return await this.submissions.change(submission, atMs, () => Promise.resolve(done));
      }
      return await this.attempts.signFirst(submission, storedRun(planned), { plan }, [simulated]);
    } catch (error) {
      const failure = failureOf(error);
      if (failure === null) throw error;
      const atMs = this.clock.now();
      const steps = [stepOf('failed', atMs, null, failure.message)];
      return this.submissions.change(submission, atMs, () =>
        Promise.resolve({ change: { status: 'failed' as const, failure }, steps }),
      );
    }
  }

  private cancel(submission: Submission, atMs: number): Promise<Submission> {
    const failure = { code: 'deadline_passed' as const, message: 'The deadline passed before it was sent.' };
    const steps = [stepOf('cancelled', atMs, null, failure.message)];
    return this.submissions.change(submission, atMs, () =>
      Promise.resolve({ change: { status: 'cancelled' as const, failure }, steps }),
    );
  }
}

/** Returns why it cannot be done, or null when it can be tried again. */
function failureOf(error: unknown): Submission['failure'] {
  if (error instanceof Refusal) {
    return TEMPORARY_REASONS.has(error.reason) ? null : { code: error.reason, message: error.detail };
  }
  if (error instanceof Unexecutable) return { code: 'infeasible', message: error.message };
  if (error instanceof Problem && PERMANENT_CODES.has(error.code))
    return { code: 'infeasible', message: error.detail };
  return null;
}

function storedRun({ plan, run, executor }: RunPlan): StoredRun {
  return {
    executor,
    data: plan.calls[0]!.data,
    gas: gasLimit(plan.gas[0] ?? 0n).toString(),
    deadlineSeconds: Number(run.deadline),
    policyId: run.policyId,
    number: run.nonce.toString(),
  };
}

function requestOf({
  strategy,
  targetHealthFactor,
  maxSlippageBps,
  asset,
  deadlineMs,
}: Submission): DeleverageRequest {
  const targetRaw = toWad(targetHealthFactor);
  const aimRaw = withHeadroom(targetRaw);
  return { strategy, targetHealthFactor, targetRaw, aimRaw, maxSlippageBps, asset, deadlineMs };
}

function venueOf({ positionId, protocol, chainId, market, subId, wallet }: Submission) {
  return { id: positionId, protocol, chainId, market, wallet, ...(subId !== null && { subId }) };
}
