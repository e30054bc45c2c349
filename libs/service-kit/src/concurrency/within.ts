/**
 * What the work gives; rejects with `late()` when it has not settled within `ms`. The work itself goes on, and its end is
 * ignored then, a failure too.
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
 * Aborted when `signal` is, and `ms` from now with a TimeoutError. Use it instead of `AbortSignal.any` with a
 * timeout: Node collects a timeout signal that nothing else refers to, and then it never fires.
 */
export function signalWithin(ms: number, signal: AbortSignal): AbortSignal {
  const deadline = AbortSignal.timeout(ms);
  // Listened to, it is kept until it fires.
  deadline.addEventListener('abort', () => undefined, { once: true });
  return AbortSignal.any([signal, deadline]);
}
