/**
 * Continues immediately with a value, and with a promise when it resolves, so that a known value costs no
 * turn of the queue.
 */
export function whenKnown<T, R>(value: T | Promise<T>, step: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(step) : step(value);
}
