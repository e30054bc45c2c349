import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { WhaleV1 } from '@plimsoll/contracts';
import type { EventBatch } from '@plimsoll/event-bus';
import { WatchesRepository } from '../../accounts/watches.repository';
import type { CausedMove } from './whale-alert';
import { WhaleAlerts } from './whale-alerts.service';

/** Handles a whale move, or a move that a reorg removed. */
@Controller()
export class WhaleConsumer {
  constructor(
    private readonly watches: WatchesRepository,
    private readonly alerts: WhaleAlerts,
  ) {}

  @EventPattern('whale.v1')
  async handle(@Payload() { events, tx }: EventBatch<WhaleV1>): Promise<void> {
    // A move that was removed within the same batch notifies no account.
    const last = new Map<string, CausedMove>();
    for (const { value, requestId, traceparent } of events) {
      if (!value) continue;
      last.delete(value.activityId);
      last.set(value.activityId, { move: value, requestId, traceparent });
    }
    const moves = [...last.values()];
    await this.watches.lockForReading(tx);
    await this.alerts.notify(tx, moves);
  }
}
