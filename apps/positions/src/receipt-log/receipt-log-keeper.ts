import { Injectable } from '@nestjs/common';
import { Clock, PeriodicService } from '@plimsoll/service-kit';
import { ReceiptLog } from './receipt-log';
import { ReceiptRoots } from './receipt-roots';

const MINUTE_MS = 60_000;
/** Leaves of one transaction. */
export const MOST_LEAVES = 1_024;

/** Appends new receipts to the log, and publishes its root every hour, whichever instance does it. */
@Injectable()
export class ReceiptLogKeeper extends PeriodicService {
  constructor(
    private readonly log: ReceiptLog,
    private readonly roots: ReceiptRoots,
    private readonly clock: Clock,
  ) {
    super({
      name: 'receipt-log',
      everyMs: MINUTE_MS,
      failure: 'receipts could not be logged; they wait for the next round',
    });
  }

  protected async round(): Promise<boolean> {
    if ((await this.log.append(MOST_LEAVES)) === MOST_LEAVES) return true;
    await this.roots.publish(this.clock.now());
    return false;
  }
}
