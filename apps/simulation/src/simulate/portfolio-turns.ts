import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import { FairQueue } from '@plimsoll/service-kit';

/** Simulations of portfolios in one process: each has one position in the queue. */
const MOST_WAITING = 256;

interface Waiting {
  work(): void;
  giveUp(error: Error): void;
}

/**
 * Runs calculations on positions one after the other, in fair turns between accounts, and lets other requests run in
 * between. A calculation of a position with 100 results takes up to 20 ms.
 */
@Injectable()
export class PortfolioTurns {
  private readonly waiting = new FairQueue<Waiting>(MOST_WAITING);
  private isRunning = false;

  /**
   * @param cost results that the calculation returns
   * @throws upstream_unavailable when too many wait
   */
  run<T>(accountId: string, cost: number, calculate: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const work = (): void => {
        try {
          resolve(calculate());
        } catch (error) {
          reject(error as Error);
        }
      };
      this.waiting.add(accountId, cost, { work, giveUp: reject })?.giveUp(tooMany());
      if (!this.isRunning) void this.runWaiting();
    });
  }

  private async runWaiting(): Promise<void> {
    this.isRunning = true;
    await nextTurn();
    for (let next = this.waiting.take(); next; next = this.waiting.take()) {
      next.work();
      await nextTurn();
    }
    this.isRunning = false;
  }
}

const tooMany = (): Problem =>
  new Problem(
    'upstream_unavailable',
    'Too many simulations of portfolios are in progress. Send the request again after the seconds in Retry-After.',
    { headers: { 'retry-after': '1' } },
  );
