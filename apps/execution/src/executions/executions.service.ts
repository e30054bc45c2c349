import { Injectable } from '@nestjs/common';
import {
  type ExecuteDeleverageBody,
  type ExecutionAnswer,
  type Identity,
  Problem,
  invalidRequest,
  newId,
} from '@plimsoll/contracts';
import { toWad } from '@plimsoll/execution-plan';
import { type Caller, type Commit, type Committed } from '@plimsoll/service-kit';
import { Clock } from '../clock';
import { PlannerService } from '../planning/planner.service';
import type { DeleverageRequest, Plan } from '../planning/plan';
import { Refusal, unsupported } from '../planning/refusal';
import { type PositionPlace, PositionSource } from '../positions/position-source';
import { AuditRepository } from './audit.repository';
import { executionRecord, planRecord } from './execution-record';
import type { ExecutionRow, StepRow } from './execution-row';
import { ExecutionsRepository } from './executions.repository';
import { Switches } from './switches';

const DEFAULT_DEADLINE_MS = 600_000;
const LATEST_DEADLINE_MS = 86_400_000;
const DEFAULT_SLIPPAGE_BPS = 50;

/** Takes requests for executions: simulates them, and keeps what they say. */
@Injectable()
export class ExecutionsService {
  constructor(
    private readonly positions: PositionSource,
    private readonly planner: PlannerService,
    private readonly repository: ExecutionsRepository,
    private readonly audit: AuditRepository,
    private readonly switches: Switches,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem execution_refused, unsupported_execution, not_found, upstream_… */
  async deleverage(
    identity: Identity,
    caller: Caller,
    body: ExecuteDeleverageBody,
    commit: Commit,
  ): Promise<Committed<ExecutionAnswer>> {
    const request = this.requestOf(body);
    try {
      const place = await this.positions.find(caller, body.positionId);
      await this.switches.check(place.chainId, place.protocol);
      const plan = await this.planner.plan(caller, place, request);
      return await this.keep(identity, body, request, place, plan, commit);
    } catch (error) {
      const problem = error instanceof Refusal ? error.problem() : error;
      if (problem instanceof Problem) await this.writeRefusal(identity, body, problem);
      throw problem;
    }
  }

  private async keep(
    identity: Identity,
    body: ExecuteDeleverageBody,
    request: DeleverageRequest,
    place: PositionPlace,
    plan: Plan,
    commit: Commit,
  ): Promise<Committed<ExecutionAnswer>> {
    const record = await planRecord(plan, request, body.mode === 'build');
    const atMs = this.clock.now();
    const row: ExecutionRow = {
      id: newId('exec'),
      accountId: identity.accountId,
      positionId: place.id,
      mode: body.mode,
      dryRun: body.dryRun ?? false,
      strategy: request.strategy,
      status: 'completed',
      protocol: place.protocol,
      chainId: place.chainId,
      market: place.market,
      subId: place.subId ?? null,
      wallet: place.wallet,
      targetHealthFactor: request.targetHealthFactor,
      maxSlippageBps: request.maxSlippageBps,
      asset: request.asset,
      deadlineMs: request.deadlineMs,
      plan: record,
      healthFactorAfter: null,
      transactionHash: null,
      includedBlock: null,
      includedHash: null,
      confirmations: 0,
      failure: null,
      sequence: 1,
      createdAtMs: atMs,
      updatedAtMs: atMs,
    };
    const step = (name: StepRow['name'], block: number | null = null): StepRow => ({
      name,
      atMs,
      detail: null,
      transactionHash: null,
      block,
    });
    const steps = [
      step('accepted'),
      step('simulated', record.block),
      ...(body.mode === 'build' ? [step('built')] : []),
      step('completed'),
    ];
    return commit(async (tx) => {
      await this.repository.insert(tx, row);
      await this.repository.addSteps(tx, row.id, steps);
      await this.audit.write(this.entry(identity, body, row.id, 'accepted'), tx);
      return { status: 202, body: { execution: executionRecord(row, steps) } };
    });
  }

  private requestOf(body: ExecuteDeleverageBody): DeleverageRequest {
    const { targetHealthFactor, strategy = 'repay_debt', asset } = body;
    const { maxSlippageBps = DEFAULT_SLIPPAGE_BPS, mode, dryRun } = body;
    if (mode === 'submit') {
      throw unsupported(
        'mode',
        'not_available',
        'Nothing is submitted here. Use build, and send it yourself.',
      );
    }
    const errors = [];
    if (targetHealthFactor <= 1) {
      const message = 'targetHealthFactor must be above 1: at 1 the position is on the edge.';
      errors.push({ field: 'targetHealthFactor', code: 'out_of_range', message });
    }
    if (asset !== undefined && strategy === 'repay_debt') {
      const message = 'repay_debt sells nothing. Remove it.';
      errors.push({ field: 'asset', code: 'unexpected', message });
    }
    if (dryRun !== undefined) {
      const message = `${mode} sends nothing. Remove it.`;
      errors.push({ field: 'dryRun', code: 'unexpected', message });
    }
    const nowMs = this.clock.now();
    const deadlineMs = body.deadline === undefined ? nowMs + DEFAULT_DEADLINE_MS : Date.parse(body.deadline);
    if (deadlineMs <= nowMs || deadlineMs > nowMs + LATEST_DEADLINE_MS) {
      const message = 'The deadline must be ahead, and within 24 hours.';
      errors.push({ field: 'deadline', code: 'out_of_range', message });
    }
    if (errors.length > 0) throw invalidRequest(errors);
    return {
      strategy,
      targetHealthFactor,
      targetRaw: toWad(targetHealthFactor),
      maxSlippageBps,
      asset: asset ?? null,
      deadlineMs,
    };
  }

  private async writeRefusal(
    identity: Identity,
    body: ExecuteDeleverageBody,
    { code, options }: Problem,
  ): Promise<void> {
    await this.audit.write(this.entry(identity, body, null, options.errors?.[0]?.code ?? code));
  }

  private entry(
    identity: Identity,
    body: ExecuteDeleverageBody,
    executionId: string | null,
    outcome: string,
  ) {
    const { positionId, ...asked } = body;
    return {
      identity,
      action: `deleverage.${body.mode}`,
      positionId,
      executionId,
      outcome,
      asked,
      atMs: this.clock.now(),
    };
  }
}
