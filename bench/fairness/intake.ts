import { setTimeout as delay } from 'node:timers/promises';
import { Partitioners } from 'kafkajs';
import { percentile } from '../flow/percentile';
import { prepareFlood } from '../webhooks/flood';
import type { FloodCommand } from '../webhooks/flood-process';
import { publishSteadily } from '../webhooks/steady-load';
import { PARTITIONS, type TestBed, startTestBed } from '../webhooks/test-bed';
import { inPairs, rounded, type Scene, verdict } from './pairs';

const LIGHT = { accounts: 10, perSecond: 100 };
const HEAVY_EVENTS = 20_000;
const SETTLE_MS = 120_000;

/**
 * 20,000 events of one account beside the steady ones of ten others: the time from an event to its webhook,
 * for accounts of other partitions than the heavy account’s and for those of its own.
 */
export const intake: Scene = async (pairs, seconds) => {
  const bed = await startTestBed();
  try {
    const heavy = await bed.register(['/heavy']);
    const shared = partitionOf(heavy.accountId);
    const inShared: string[] = [];
    const elsewhere: string[] = [];
    while (inShared.length < LIGHT.accounts || elsewhere.length < LIGHT.accounts) {
      const { accountId } = await bed.register([`/light/${inShared.length + elsewhere.length}`]);
      (partitionOf(accountId) === shared ? inShared : elsewhere).push(accountId);
    }
    const ofShared = { alone: [] as number[], beside: [] as number[] };
    const measure = async (side: 'alone' | 'beside'): Promise<number[]> => {
      await bed.receiver.forget();
      const publish = side === 'beside' ? await prepareFlood(floodOf(bed, heavy.accountId)) : undefined;
      const load = (accountIds: string[]) =>
        publishSteadily(bed, {
          perSecond: LIGHT.perSecond,
          seconds,
          accountIds: accountIds.slice(0, LIGHT.accounts),
        });
      const flood = publish?.();
      const [ownDueMs, otherDueMs] = await Promise.all([load(inShared), load(elsewhere)]);
      await flood;
      ofShared[side].push(rounded(percentile(await latencies(bed, ownDueMs), 0.99)));
      const measured = await latencies(bed, otherDueMs);
      await bed.settled(SETTLE_MS);
      return measured;
    };
    await measure('alone');
    ofShared.alone.length = 0;
    const result = await inPairs(
      pairs,
      () => measure('alone'),
      () => measure('beside'),
    );
    const inTheHeavyPartition = { p99Ms: ofShared, ...verdict(ofShared) };
    const passed = result.passed && inTheHeavyPartition.passed;
    return { heavyEvents: HEAVY_EVENTS, ...result, inTheHeavyPartition, passed };
  } finally {
    await bed.close();
  }
};

/** The partition in which a relay publishes the events of an account. */
function partitionOf(accountId: string): number {
  const partitionMetadata = Array.from({ length: PARTITIONS }, (_, partitionId) => ({
    partitionId,
    partitionErrorCode: 0,
    leader: 0,
    replicas: [],
    isr: [],
  }));
  return Partitioners.DefaultPartitioner()({
    topic: 'alert.v1',
    partitionMetadata,
    message: { key: accountId, value: null },
  });
}

const floodOf = (bed: TestBed, accountId: string): FloodCommand => ({
  broker: bed.kafka.url,
  partitions: PARTITIONS,
  accountId,
  events: HEAVY_EVENTS,
});

/** Milliseconds from the due time of each event to its receipt, when all have been received. */
async function latencies(bed: TestBed, dueAtMs: ReadonlyMap<string, number>): Promise<number[]> {
  for (;;) {
    const received = (await bed.receiver.arrivals()).flatMap(({ eventId, atMs }) => {
      const dueMs = dueAtMs.get(eventId);
      return dueMs === undefined ? [] : [atMs - dueMs];
    });
    if (received.length >= dueAtMs.size) return received;
    await delay(200);
  }
}
