import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { PositionV1 } from '@plimsoll/contracts';
import type { EventBatch } from '@plimsoll/event-bus';
import { ExposureRepository } from './exposure.repository';

/** Stores the debts of tracked positions, and the share that a fall of prices would endanger. */
@Controller()
export class PositionConsumer {
  constructor(private readonly exposure: ExposureRepository) {}

  @EventPattern('position.v1')
  async handle(@Payload() { events, tx }: EventBatch<PositionV1>): Promise<void> {
    const latest = new Map<string, PositionV1 | null>();
    for (const { key, value } of events) {
      const known = latest.get(key);
      if (!known || !value || value.sequence >= known.sequence) latest.set(key, value);
    }
    await this.exposure.save(
      tx,
      [...latest.values()].filter((position) => position !== null),
    );
    await this.exposure.remove(
      tx,
      [...latest].flatMap(([id, position]) => (position === null ? [id] : [])),
    );
  }
}
