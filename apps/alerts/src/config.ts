import { EventServiceConfig } from '@plimsoll/service-kit';
import { IsInt, Matches, Max, Min } from 'class-validator';

const ORIGIN = /^https?:\/\/[^/\s,]+$/;
const originOf = { message: 'must be an http:// origin without a path' };

export class AlertsConfig extends EventServiceConfig {
  /** Milliseconds between two looks for alerts whose cooldown has ended. */
  @IsInt()
  @Min(10)
  DUE_POLL_MS: number = 1_000;

  /** Days for which one state a minute of each position is kept, for previews of rules. */
  @IsInt()
  @Min(1)
  @Max(30)
  HISTORY_DAYS: number = 30;

  /** Origin of the positions service: a rule's position is looked up there. */
  @Matches(ORIGIN, originOf)
  UPSTREAM_POSITIONS: string = '';

  /** Origin of the webhook-delivery service: a rule's endpoint is looked up there. */
  @Matches(ORIGIN, originOf)
  UPSTREAM_WEBHOOK_DELIVERY: string = '';
}
