import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { type AccountV1, tierIncludes } from '@plimsoll/contracts';
import type { EventBatch } from '@plimsoll/event-bus';
import { Clock } from '@plimsoll/service-kit';
import { AccountsRepository } from '../accounts/accounts.repository';
import { WatchesRepository } from '../accounts/watches.repository';
import { again } from '../positions/evaluation';
import { PositionsRepository } from '../positions/positions.repository';
import { RulesRepository } from '../sources/rule/rules.repository';
import { EvaluationService } from './evaluation.service';

/** An account's rules pause while its tier has no automation, and resume when the tier has it again. */
@Controller()
export class AccountConsumer {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly rules: RulesRepository,
    private readonly positions: PositionsRepository,
    private readonly watches: WatchesRepository,
    private readonly evaluation: EvaluationService,
    private readonly clock: Clock,
  ) {}

  @EventPattern('account.v1')
  async handle(@Payload() { events, tx }: EventBatch<AccountV1>): Promise<void> {
    const latest = new Map(events.map((event) => [event.key, event]));
    const states = [...latest.values()].map(({ key, value, time }) => ({
      accountId: key,
      mayAutomate: value !== null && tierIncludes(value.tier, 'business'),
      mayExecute: value !== null && tierIncludes(value.tier, 'enterprise'),
      updatedAt: value?.updatedAt ?? new Date(time).toISOString(),
    }));
    await this.watches.lockForWriting(tx);
    const taken = await this.accounts.apply(tx, states);
    const rules = await this.rules.switchedOn(
      tx,
      taken.map(({ accountId }) => accountId),
    );
    const resting = new Set(taken.flatMap((state) => (state.mayAutomate ? [] : [state.accountId])));
    const positions = await this.positions.ofIds(tx, [...new Set(rules.map(({ positionId }) => positionId))]);
    const owners = new Map(rules.map(({ positionId, accountId }) => [positionId, accountId]));
    const atMs = this.clock.now();
    await this.evaluation.run(
      tx,
      positions.map((position) => {
        const accountId = owners.get(position.id);
        return again(position, atMs, latest.get(accountId ?? '') ?? {}, accountId);
      }),
      rules.filter(({ accountId }) => resting.has(accountId)).map((rule) => ({ ...rule, isActive: false })),
    );
  }
}
