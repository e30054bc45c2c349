import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { AccountV1 } from '@plimsoll/contracts';
import type { EventBatch, ReceivedEvent } from '@plimsoll/event-bus';
import { applyCaps, lockAccounts } from './webhook-caps';

/** A lower tier disables the newest endpoints above its cap. A higher tier enables them again. */
@Controller()
export class AccountConsumer {
  @EventPattern('account.v1')
  async handle(@Payload() { events, tx }: EventBatch<AccountV1>): Promise<void> {
    const latest = new Map<string, ReceivedEvent<AccountV1>>(events.map((event) => [event.key, event]));
    const accountIds = [...latest.keys()];
    await lockAccounts(tx, accountIds);
    await tx.query(
      `INSERT INTO account_caps AS known (account_id, webhook_cap, changed_at)
       SELECT account_id, webhook_cap, to_timestamp(changed_at_ms / 1000)
       FROM unnest($1::text[], $2::int[], $3::float8[]) AS change (account_id, webhook_cap, changed_at_ms)
       ON CONFLICT (account_id) DO UPDATE
         SET webhook_cap = excluded.webhook_cap, changed_at = excluded.changed_at
         WHERE known.changed_at <= excluded.changed_at`,
      [accountIds, [...latest.values()].map(capOf), [...latest.values()].map(({ time }) => time)],
    );
    await applyCaps(tx, accountIds);
  }
}

/** A deleted account may have no endpoints. */
function capOf({ value }: ReceivedEvent<AccountV1>): number | null {
  return value === null ? 0 : value.limits.webhooks;
}
