import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { PositionV1 } from '@plimsoll/contracts';
import type { EventBatch, ReceivedEvent } from '@plimsoll/event-bus';
import { ForecastsRepository } from './forecasts.repository';
import { type Ending, followPosition } from './outcome';
import { Panel } from './panel';
import { hasDebt, rankOf } from './tracked-position';
import { TrackedPositionsRepository } from './tracked-positions.repository';

/**
 * Tracks the positions of the track record, and ends their forecasts. Its effects depend on `sequence`, so a
 * replay changes nothing.
 */
@Controller()
export class PositionConsumer {
  constructor(
    private readonly panel: Panel,
    private readonly positions: TrackedPositionsRepository,
    private readonly forecasts: ForecastsRepository,
  ) {}

  @EventPattern('position.v1')
  async handle(@Payload() { events, tx }: EventBatch<PositionV1>): Promise<void> {
    const may = await this.panel.mayTrack(
      tx,
      events.map(({ key }) => rankOf(key)),
    );
    const byPosition = new Map<string, (PositionV1 | null)[]>();
    events.forEach(({ key, value }: ReceivedEvent<PositionV1>, at) => {
      if (may[at]) byPosition.set(key, [...(byPosition.get(key) ?? []), value]);
    });
    if (byPosition.size === 0) return;

    const tracked = await this.positions.lock(tx, [...byPosition.keys()]);
    const endings: Ending[] = [];
    const saved: PositionV1[] = [];
    const removed: string[] = [];
    for (const [id, states] of byPosition) {
      const before = tracked.get(id);
      if (before) {
        const followed = followPosition(before, states);
        endings.push(...followed.endings);
        if (!followed.latest || !hasDebt(followed.latest)) removed.push(id);
        else if (followed.latest.sequence > before.sequence) saved.push(followed.latest);
      } else {
        const latest = states.at(-1);
        if (latest && hasDebt(latest) && (await this.panel.mayJoin(tx, rankOf(id)))) saved.push(latest);
      }
    }
    if (removed.length > 0 || saved.some(({ id }) => !tracked.has(id))) this.panel.forget();
    await this.forecasts.end(tx, endings);
    await this.positions.save(tx, saved);
    await this.positions.remove(tx, removed);
  }
}
