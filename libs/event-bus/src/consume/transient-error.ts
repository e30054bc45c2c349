/**
 * Thrown by a handler when something it depends on is away: the topic is paused and the same events come again, for as
 * long as it takes. Any other error counts as the events' own fault, save the broken connections that
 * `isDependencyFailure` knows by itself.
 */
export class TransientError extends Error {
  override readonly name = 'TransientError';
}
