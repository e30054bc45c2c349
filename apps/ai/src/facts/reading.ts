import type { Identity } from '@plimsoll/contracts';
import type { Caller } from '@plimsoll/service-kit';
import type { FactSheet } from './fact-sheet';

/** The gathering of the facts of one answer, in the name of who asks. */
export interface Reading {
  caller: Caller;
  identity: Identity;
  /** Aborted when the client leaves or the facts have taken too long. */
  signal: AbortSignal;
  sheet: FactSheet;
}
