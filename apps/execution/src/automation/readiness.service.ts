import { Injectable } from '@nestjs/common';
import type { ExecutionReadinessBody } from '@plimsoll/contracts';
import type { Caller } from '@plimsoll/service-kit';
import { toWad } from '../amounts/position';
import { ChainsService } from '../chains/chains.service';
import { problemOf, Refusal, unsupported } from '../planning/refusal';
import { Switches } from '../executions/switches';
import { PlannerService } from '../planning/planner.service';
import { PositionSource } from '../positions/position-source';
import { KeyStore } from '../signing/key-store';
import { Authorisations } from '../submission/authorisations';
import { RunPlanner } from '../submission/run-planner';
import { refuseOutsidePolicy } from './policy-limits';

/** Decides whether a rule's request can be executed at all, whatever the current health factor is. */
@Injectable()
export class ReadinessService {
  constructor(
    private readonly positions: PositionSource,
    private readonly chains: ChainsService,
    private readonly planner: PlannerService,
    private readonly runs: RunPlanner,
    private readonly keys: KeyStore,
    private readonly authorisations: Authorisations,
    private readonly switches: Switches,
  ) {}

  /** @throws Problem execution_refused, unsupported_execution, not_found, upstream_… */
  async check(accountId: string, caller: Caller, body: ExecutionReadinessBody): Promise<void> {
    if (this.keys.address() === null) {
      const message =
        'This service submits no executions. Use alert or webhook, and send the transactions yourself.';
      throw unsupported('mode', 'not_available', message);
    }
    try {
      const place = await this.positions.find(caller, body.positionId);
      await this.switches.check(place.chainId, place.protocol);
      const chain = this.chains.find(place.chainId);
      if (chain) await this.authorisations.check(accountId, place, chain, body.walletSignature);
      const scene = await this.planner.sceneOf(place);
      if (scene.position.healthFactorRaw === null)
        throw new Refusal('no_debt', 'The position has no debt: there is nothing to repay.', 'positionId');
      const policies = await this.runs.policiesOf(scene, body.strategy);
      refuseOutsidePolicy(policies, {
        targetRaw: toWad(body.targetHealthFactor),
        belowRaw: body.belowHealthFactor === undefined ? null : toWad(body.belowHealthFactor),
      });
    } catch (error) {
      throw problemOf(error);
    }
  }
}
