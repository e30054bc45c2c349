import type { Identity } from '@plimsoll/contracts';
import type { Caller } from '@plimsoll/service-kit';

/** Who asks, and whether they still wait. */
export interface Asker {
  identity: Identity;
  caller: Caller;
  /** Aborted when the client leaves. */
  left: AbortSignal;
}
