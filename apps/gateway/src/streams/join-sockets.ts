import type { Duplex } from 'node:stream';

/** After one side has said its last, the other gets so long to say its own. */
const HALF_CLOSED_MS = 5_000;

/** Pipes two sockets into each other, each as fast as the other reads, until either ends or fails; then both are gone. */
export function joinSockets(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.on('close', () => {
      // What came before a clean end still has to go out.
      if (from.readableEnded) to.end();
      else to.destroy();
    });
    from.on('end', () => {
      const timer = setTimeout(() => to.destroy(), HALF_CLOSED_MS);
      to.once('close', () => clearTimeout(timer));
    });
  }
}
