import type { Subscriber } from './subscriber';
import type { Published, World } from './world';

/** Errors of all subscribers together, zero without any. */
export interface Verdict {
  subscribers: number;
  published: number;
  expected: number;
  lost: number;
  doubled: number;
  /** Events that a subscriber must not receive. */
  foreign: number;
  /** Events that arrived before an earlier one of the same key. */
  outOfOrder: number;
}

/** Compares what every subscriber received with what it should have received. */
export function judge(
  world: World,
  subscribers: readonly Subscriber[],
  published: readonly Published[],
): Verdict {
  const verdict: Verdict = {
    subscribers: subscribers.length,
    published: published.length,
    expected: 0,
    lost: 0,
    doubled: 0,
    foreign: 0,
    outOfOrder: 0,
  };
  for (const { interest, received: all } of subscribers) {
    const received = all.filter((eventId) => !world.trialIds.has(eventId));
    const expected = published.filter((event) => world.isFor(event, interest));
    const got = new Set(received);
    const wanted = new Map(expected.map((event, at) => [event.eventId, { key: event.key, at }]));
    verdict.expected += expected.length;
    verdict.lost += expected.filter(({ eventId }) => !got.has(eventId)).length;
    verdict.doubled += received.length - got.size;
    const latest = new Map<string, number>();
    for (const eventId of got) {
      const event = wanted.get(eventId);
      if (!event) {
        verdict.foreign += 1;
        continue;
      }
      if (event.at < (latest.get(event.key) ?? -1)) verdict.outOfOrder += 1;
      latest.set(event.key, event.at);
    }
  }
  return verdict;
}
