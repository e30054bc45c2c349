import type { StreamFilter } from '@plimsoll/contracts';
import type { StreamConnection } from '../connection/stream-connection';
import type { Place } from '../log/cursor';
import { type CompiledFilter, compileFilter } from './stream-filter';

/** A filter that a client subscribed with, and which part of the log it is served. */
export class Subscription {
  readonly filter: CompiledFilter;
  /** At hand here: each event looks at it, for each subscription that is found. */
  readonly fitsRest: CompiledFilter['fitsRest'];
  /** From where on. */
  from: Place = [];
  /** Up to where it has been served while its connection catches up; null: live. */
  upTo: Place | null = null;
  /** The client waits to be told that what it missed has been sent. */
  isResuming = false;

  constructor(
    readonly connection: StreamConnection,
    readonly id: string,
    filter: StreamFilter = {},
  ) {
    this.filter = compileFilter(filter);
    this.fitsRest = this.filter.fitsRest;
  }
}
