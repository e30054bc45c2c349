import { Injectable } from '@nestjs/common';
import {
  type ExecuteDeleverageBody,
  type ExecutionAnswer,
  type Identity,
  Problem,
  newId,
} from '@plimsoll/contracts';
import { type Caller, type Commit, type Committed, currentCorrelation, Clock } from '@plimsoll/service-kit';
import { ChainsService } from '../chains/chains.service';
import type { DeleverageRequest, Plan } from '../planning/plan';
import { PlannerService } from '../planning/planner.service';
import { unsupported, problemOf } from '../planning/refusal';
import { type PositionVenue, PositionSource } from '../positions/position-source';
import { KeyStore } from '../signing/key-store';
import { Authorisations } from '../submission/authorisations';
import { RunPlanner } from '../submission/run-planner';
import { submitRow } from '../submission/submissions.repository';
import { AuditRepository } from '../executions/audit.repository';
import { deleverageRequest } from '../executions/deleverage-request';
import { executionRecord, planRecord } from '../executions/execution-record';
import { type ExecutionRow, type StepRow, UNSENT } from '../executions/execution-row';
import { ExecutionsRepository } from '../executions/executions.repository';
import { Switches } from '../executions/switches';

/** Accepts requests for executions: simulates them and stores the result. */
@Injectable()
export class ExecutionsService {
  constructor(
    private readonly positions: PositionSource,
    private readonly chains: ChainsService,
    private readonly planner: PlannerService,
    private readonly runs: RunPlanner,
    private readonly keys: KeyStore,
    private readonly authorisations: Authorisations,
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
    if (body.mode === 'submit' && this.keys.address() === null) {
      throw unsupported(
        'mode',
        'not_available',
        'This service submits no executions. Use build, and send the transactions yourself.',
      );
    }
    const request = deleverageRequest(body, this.clock.now());
    try {
      const place = await this.positions.find(caller, body.positionId);
      await this.switches.check(place.chainId, place.protocol);
      const plan =
        body.mode === 'submit'
          ? await this.submitted(identity, caller, body, place, request)
          : await this.planner.plan(caller, place, request);
      return await this.store(identity, body, request, place, plan, commit);
    } catch (error) {
      const problem = problemOf(error);
      if (problem instanceof Problem) await this.writeRefusal(identity, body, problem);
      throw problem;
    }
  }

  /** Returns the present plan. It is planned again before it is sent. */
  private async submitted(
    identity: Identity,
    caller: Caller,
    { walletSignature }: ExecuteDeleverageBody,
    place: PositionVenue,
    request: DeleverageRequest,
  ): Promise<Plan> {
    const chain = this.chains.find(place.chainId);
    if (chain) await this.authorisations.check(identity.accountId, place, chain, walletSignature);
    return (await this.runs.plan(caller, place, request)).plan;
  }

  private async store(
    identity: Identity,
    body: ExecuteDeleverageBody,
    request: DeleverageRequest,
    place: PositionVenue,
    plan: Plan,
    commit: Commit,
  ): Promise<Committed<ExecutionAnswer>> {
    const record = await planRecord(plan, request, body.mode === 'build');
    const atMs = this.clock.now();
    const row: ExecutionRow = {
      id: newId('exec'),
      accountId: identity.accountId,
      ruleId: null,
      positionId: place.id,
      mode: body.mode,
      dryRun: body.dryRun ?? false,
      strategy: request.strategy,
      status: body.mode === 'simulate' ? 'completed' : 'pending',
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
      ...UNSENT,
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
      ...(body.mode === 'simulate' ? [step('completed')] : []),
    ];
    return commit(async (tx) => {
      if (body.mode === 'submit' && (await this.repository.isInFlight(tx, row.positionId)))
        throw new Problem('conflict', 'An execution for this position is under way. Wait for its end.');
      await this.repository.insert(tx, row);
      if (body.mode === 'submit') await submitRow(tx, row, currentCorrelation());
      await this.repository.addSteps(tx, row.id, steps);
      await this.audit.write(this.entry(identity, body, row.id, 'accepted'), tx);
      return { status: 202, body: { execution: executionRecord(row, steps) } };
    });
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
