/**
 * A handler throws it when a dependency is unavailable. The topic is paused, and the same events arrive again
 * until they succeed. Any other error counts as a fault of the events, except the broken connections that
 * `isDependencyFailure` recognises.
 */
export class TransientError extends Error {
  override readonly name = 'TransientError';
}
