import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { PositionV1 } from '@plimsoll/contracts';
import type { EventBatch } from '@plimsoll/event-bus';
import { WatchesRepository } from '../accounts/watches.repository';
import { HistoryRepository } from '../history/history.repository';
import { freshStates } from '../positions/fresh-states';
import { PositionsRepository } from '../positions/positions.repository';
import { HoldingChanges } from '../sources/asset-price/holding-changes';
import { EvaluationService } from './evaluation.service';

/** Evaluates a changed position for every account that watches its wallet or has a rule on it. */
@Controller()
export class PositionConsumer {
  constructor(
    private readonly watches: WatchesRepository,
    private readonly positions: PositionsRepository,
    private readonly history: HistoryRepository,
    private readonly evaluation: EvaluationService,
    private readonly holdings: HoldingChanges,
  ) {}

  @EventPattern('position.v1')
  async handle(@Payload() { events, tx }: EventBatch<PositionV1>): Promise<void> {
    await this.watches.lockForReading(tx);
    const known = await this.positions.lockStates(tx, [...new Set(events.map(({ key }) => key))]);
    const { evaluations, latest } = freshStates(events, known);
    await this.positions.save(tx, latest);
    await this.history.add(
      tx,
      evaluations.map(({ position }) => position),
    );
    await this.evaluation.run(tx, evaluations);
    await this.holdings.ofStates(tx, evaluations);
  }
}
