import type { Duplex } from 'node:stream';

/** After one side has ended, the other has this long to end. */
const HALF_CLOSED_MS = 5_000;

/**
 * Pipes two sockets into each other, each as fast as the other reads, until either ends or fails. Then both
 * close.
 */
export function pipeSockets(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.on('close', () => {
      // Data before a clean end must still be sent.
      if (from.readableEnded) to.end();
      else to.destroy();
    });
    from.on('end', () => {
      const timer = setTimeout(() => to.destroy(), HALF_CLOSED_MS);
      to.once('close', () => clearTimeout(timer));
    });
  }
}
