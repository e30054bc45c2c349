import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { RuleV1 } from '@plimsoll/contracts';
import type { EventBatch } from '@plimsoll/event-bus';
import { TrackedWallets } from '../tracking/tracked-wallets';

const SAVE = `
INSERT INTO rules AS known (rule_id, position_id, is_active, updated_at)
SELECT * FROM unnest($1::text[], $2::text[], $3::boolean[], $4::timestamptz[]) ORDER BY 1
ON CONFLICT (rule_id) DO UPDATE SET is_active = excluded.is_active, updated_at = excluded.updated_at
WHERE known.updated_at <= excluded.updated_at`;

/** A rule makes its position tracked as long as it is active. */
@Controller()
export class RuleConsumer {
  constructor(private readonly tracked: TrackedWallets) {}

  @EventPattern('rule.v1')
  async handle(@Payload() { events, tx, afterCommit }: EventBatch<RuleV1>): Promise<void> {
    const latest = [...new Map(events.map((event) => [event.key, event])).values()];
    await tx.query(SAVE, [
      latest.map(({ key }) => key),
      // A tombstone does not name the position. A known rule keeps its own.
      latest.map(({ value }) => value?.positionId ?? ''),
      latest.map(({ value }) => value?.isActive ?? false),
      latest.map(({ value, time }) => value?.updatedAt ?? new Date(time).toISOString()),
    ]);
    afterCommit(() => this.tracked.refreshSoon());
  }
}
