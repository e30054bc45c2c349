/**
 * Returns the result of the work. Rejects with `late()` when the work has not settled within `ms`. The work
 * then continues, and its result or failure is ignored.
 */
export async function within<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns a signal that aborts with `signal`, or after `ms` with a TimeoutError. It replaces
 * `AbortSignal.any` with a timeout signal: Node collects a timeout signal that nothing else refers to, and
 * that signal never fires.
 */
export function signalWithin(ms: number, signal: AbortSignal): AbortSignal {
  const deadline = AbortSignal.timeout(ms);
  // A listener keeps the signal alive until it fires.
  deadline.addEventListener('abort', () => undefined, { once: true });
  return AbortSignal.any([signal, deadline]);
}
