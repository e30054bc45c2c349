import type { Identity } from '@plimsoll/contracts';
import type { Caller } from '@plimsoll/service-kit';
import type { FactSheet } from './fact-sheet';

/** Collects the facts of one answer, with the identity of the caller. */
export interface Reading {
  caller: Caller;
  identity: Identity;
  /** Aborted when the client disconnects or the deadline of the facts passes. */
  signal: AbortSignal;
  sheet: FactSheet;
}
