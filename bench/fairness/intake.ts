import { setTimeout as delay } from 'node:timers/promises';
import { Partitioners } from 'kafkajs';
import { percentile } from '../flow/percentile';
import { alertMessage } from '../webhooks/alert-messages';
import { publishSteadily } from '../webhooks/steady-load';
import { PARTITIONS, type TestBed, startTestBed } from '../webhooks/test-bed';
import { inPairs, rounded, type Scene } from './pairs';

const LIGHT = { accounts: 10, perSecond: 100 };
const HEAVY_EVENTS = 20_000;
const SETTLE_MS = 120_000;

/**
 * 20,000 events of one account beside the steady ones of ten others: the time from an event to its webhook.
 * Accounts of other partitions than the heavy account’s decide. Those of its own partition are reported.
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
      const load = (accountIds: string[]) =>
        publishSteadily(bed, {
          perSecond: LIGHT.perSecond,
          seconds,
          accountIds: accountIds.slice(0, LIGHT.accounts),
        });
      const flood = side === 'beside' ? publishAll(bed, heavy.accountId) : undefined;
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
    return { heavyEvents: HEAVY_EVENTS, ...result, p99MsInTheHeavyPartition: ofShared };
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

const publishAll = (bed: TestBed, accountId: string): Promise<void> =>
  bed.publisher.publish(Array.from({ length: HEAVY_EVENTS }, () => alertMessage(accountId)));

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
