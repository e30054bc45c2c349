import type { Identity } from '@plimsoll/contracts';
import type { Caller } from '@plimsoll/service-kit';

/** The account that asks, and whether its request is still open. */
export interface Asker {
  identity: Identity;
  caller: Caller;
  /** Aborted when the client disconnects. */
  left: AbortSignal;
}
