import { EventServiceConfig } from '@plimsoll/service-kit';
import { IsInt, Min } from 'class-validator';

export class AlertsConfig extends EventServiceConfig {
  /** Milliseconds between two looks for alerts whose cooldown has ended. */
  @IsInt()
  @Min(10)
  DUE_POLL_MS: number = 1_000;
}
