import { Injectable } from '@nestjs/common';
import { Clock, PeriodicService } from '@plimsoll/service-kit';
import { Sandboxes } from './sandboxes';

const ROUND_MS = 15_000;

/** Stops idle test markets, stores the use of the others, and removes unused ones. */
@Injectable()
export class SandboxKeeper extends PeriodicService {
  constructor(
    private readonly sandboxes: Sandboxes,
    private readonly clock: Clock,
  ) {
    super({
      name: 'sandbox-keeper',
      everyMs: ROUND_MS,
      failure: 'idle test markets were not stopped; the next round tries again',
      random: () => clock.random(),
    });
  }

  protected async round(): Promise<boolean> {
    await this.sandboxes.stopIdle(this.clock.now());
    await this.sandboxes.touchActive();
    return this.sandboxes.removeUnused(this.clock.now());
  }
}
