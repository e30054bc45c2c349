import { Injectable } from '@nestjs/common';
import { PeriodicService } from '@plimsoll/service-kit';
import { AlertsConfig } from '../config';
import { AlertSilences } from './alert-silences.service';

/** Most snoozes that end in one transaction. The limit keeps locks on positions short. */
const LIMIT = 200;

/** Ends snoozes whose time is over. Any number of instances may poll. */
@Injectable()
export class SnoozesPoller extends PeriodicService {
  constructor(
    config: AlertsConfig,
    private readonly silences: AlertSilences,
  ) {
    super({
      name: 'alert-snoozes',
      everyMs: config.DUE_POLL_MS,
      failure: 'snoozes of alerts cannot end; the next poll tries again',
    });
  }

  protected round(): Promise<boolean> {
    return this.silences.endDue(LIMIT);
  }
}
