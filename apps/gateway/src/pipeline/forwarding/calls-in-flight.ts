import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Service } from '@plimsoll/access';
import { Problem } from '@plimsoll/contracts';
import { whenOver } from '../response/when-over';

/** Most calls of one account in flight in one gateway process: from the admission to the end of the response. */
export const CALLS_PER_ACCOUNT = 128;
/** Of those, most at one service: half of the connections that the process has to one address of it. */
export const CALLS_PER_SERVICE = 64;

const TOO_MANY = new Problem(
  'too_many_in_flight',
  `This account has too many calls in progress: at most ${CALLS_PER_SERVICE} at one part of the service and ${CALLS_PER_ACCOUNT} in total. Wait for one of them, then repeat this one.`,
  { headers: { 'Retry-After': '1' } },
);

/** Counts the calls of each account that have no complete response, uploads included. Streams do not count. */
@Injectable()
export class CallsInFlight {
  private readonly counts = new Map<string, number>();

  /** Counts a call until its response is over. Returns the problem when the account has too many. */
  enter(response: ServerResponse, accountId: string, service: Service): Problem | undefined {
    const ofService = `${accountId} ${service}`;
    const all = this.counts.get(accountId) ?? 0;
    const there = this.counts.get(ofService) ?? 0;
    if (all >= CALLS_PER_ACCOUNT || there >= CALLS_PER_SERVICE) return TOO_MANY;
    this.counts.set(accountId, all + 1).set(ofService, there + 1);
    whenOver(response, () => {
      this.leave(accountId);
      this.leave(ofService);
    });
    return undefined;
  }

  private leave(key: string): void {
    const left = (this.counts.get(key) ?? 0) - 1;
    if (left > 0) this.counts.set(key, left);
    else this.counts.delete(key);
  }
}
