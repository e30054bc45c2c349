/** Goes on at once with a value, and with a promise when it is there: what is known already costs no turn of the queue. */
export function whenKnown<T, R>(value: T | Promise<T>, step: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(step) : step(value);
}
