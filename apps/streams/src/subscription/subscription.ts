import type { StreamFilter } from '@plimsoll/contracts';
import type { StreamConnection } from '../connection/stream-connection';
import type { Place } from '../log/cursor';
import { type CompiledFilter, compileFilter } from './stream-filter';

/** A filter that a client subscribed with, and which part of the log it is served. */
export class Subscription {
  // First what every event looks at, for each subscription that is found.
  readonly connection: StreamConnection;
  readonly fitsRest: CompiledFilter['fitsRest'];
  readonly filter: CompiledFilter;
  /** From where on. */
  from: Place = [];
  /** Up to where it has been served while its connection catches up; null: live. */
  upTo: Place | null = null;
  /** The client waits to be told that what it missed has been sent. */
  isResuming = false;

  constructor(
    connection: StreamConnection,
    readonly id: string,
    filter: StreamFilter = {},
  ) {
    this.connection = connection;
    this.filter = compileFilter(filter);
    this.fitsRest = this.filter.fitsRest;
  }
}
