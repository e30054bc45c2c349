import { Injectable } from '@nestjs/common';
import { Clock, PeriodicService } from '@plimsoll/service-kit';
import { Sandboxes } from './sandboxes';

const ROUND_MS = 600_000;

/** Removes what an interrupted reset or removal left. */
@Injectable()
export class SandboxSweeper extends PeriodicService {
  constructor(
    private readonly sandboxes: Sandboxes,
    clock: Clock,
  ) {
    super({
      name: 'sandbox-sweeper',
      everyMs: ROUND_MS,
      failure: 'data of former test markets were not removed; the next round tries again',
      random: () => clock.random(),
    });
  }

  protected round(): Promise<void> {
    return this.sandboxes.sweep();
  }
}
