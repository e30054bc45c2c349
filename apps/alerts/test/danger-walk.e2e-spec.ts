import { type Band, type PositionV1, bandRank } from '@plimsoll/contracts';
import { outgoing } from '@plimsoll/event-bus';
import { sampleWallet, waitFor } from '@plimsoll/testing';
import fc from 'fast-check';
import { AlertsHarness, newAccount } from './alerts-harness';
import { anyStep, walk } from './walk';

jest.setTimeout(120_000);

const SEED = 26;
const POSITIONS = 8;
const BLOCKS = 30;

/** A walk of one position, and its expected alerts. */
interface Scene {
  accountId: string;
  positionId: string;
  events: { event: PositionV1; repeats: boolean }[];
  /** Level and health factor of every entry into a worse level of danger. */
  entries: { level: Band; healthFactor: number | null; previous: Band }[];
}

function sceneOf(steps: Parameters<typeof walk>[1], wallet: string): Scene {
  const events = [...walk(wallet, steps)].map(({ event, step }) => ({ event, repeats: step.repeats }));
  const entries: Scene['entries'] = [];
  let previous: Band = 'none';
  for (const { event } of events) {
    const { healthFactor, band } = event;
    let level: Band = band === 'liquidatable' ? 'critical' : band;
    if (healthFactor !== null && healthFactor < 1) level = 'liquidatable';
    const isWorse = bandRank(level) > bandRank(previous);
    if (isWorse && bandRank(level) >= bandRank('high')) entries.push({ level, healthFactor, previous });
    previous = level;
  }
  return { accountId: newAccount(), positionId: events[0]!.event.id, events, entries };
}

describe('random walks of health factors, on Kafka and Postgres', () => {
  let harness: AlertsHarness;
  const scenes = fc
    .sample(fc.array(anyStep, { minLength: BLOCKS, maxLength: BLOCKS }), { numRuns: POSITIONS, seed: SEED })
    .map((steps, at) => sceneOf(steps, sampleWallet(at + 1)));
  const isEscalation = ({ level, previous }: Scene['entries'][number]): boolean =>
    level === 'critical' && previous === 'high';

  beforeAll(async () => {
    harness = await AlertsHarness.start();
    for (const { accountId, events } of scenes) await harness.watch(accountId, events[0]!.event.wallet);
    for (let block = 0; block < BLOCKS; block += 1) {
      if (block === BLOCKS / 2) await harness.restart();
      const published = scenes.flatMap(({ events }) => {
        const { event, repeats } = events[block]!;
        const once = outgoing('position.v1', event);
        // The same event again, and the same state under another event id.
        return repeats ? [once, once, outgoing('position.v1', event)] : [once];
      });
      await harness.publisher.publish(...published);
    }
    for (const { positionId } of scenes) await harness.handled(positionId, BLOCKS);
  }, 120_000);
  afterAll(() => harness.close());

  it('notify every fall below a threshold exactly once, with the health factor of its block', async () => {
    const all = scenes.flatMap(({ entries }) => entries);
    expect(all.filter(({ level }) => level === 'liquidatable').length).toBeGreaterThan(10);
    expect(all.filter(isEscalation).length).toBeGreaterThan(3);
    for (const { accountId, entries } of scenes) {
      const created = (): (number | null | undefined)[] =>
        harness.alerts.events.flatMap(({ value }) =>
          value?.accountId === accountId && value.status === 'active' ? [value.position?.healthFactor] : [],
        );
      const escalated = (): (number | null | undefined)[] =>
        harness.alertChanges.events.flatMap(({ value }) =>
          value?.accountId === accountId && value.change === 'escalated'
            ? [value.position?.healthFactor]
            : [],
        );
      const expected = {
        created: entries.filter((entry) => !isEscalation(entry)).map(({ healthFactor }) => healthFactor),
        escalated: entries.filter(isEscalation).map(({ healthFactor }) => healthFactor),
      };
      await waitFor(
        () => created().length >= expected.created.length && escalated().length >= expected.escalated.length,
        { message: `${entries.length} notices of ${accountId}` },
      );
      expect({ created: created(), escalated: escalated() }).toEqual(expected);
    }
  });

  it('resolve each alert once, and leave one active if the position is in danger before', async () => {
    for (const { accountId, events } of scenes) {
      const rows = await harness.query<{ id: string; level: Band; resolved: boolean }>(
        'SELECT id, level, resolved_at IS NOT NULL AS resolved FROM alerts WHERE account_id = $1',
        [accountId],
      );
      const last = events.at(-1)!.event;
      const isInDanger = bandRank(last.band) >= bandRank('high');
      expect(rows.filter(({ resolved }) => !resolved)).toHaveLength(isInDanger ? 1 : 0);
      const resolvedIds = (): string[] =>
        harness.alerts.events.flatMap(({ value }) =>
          value?.accountId === accountId && value.status === 'resolved' ? [value.alertId] : [],
        );
      const resolved = rows.filter((row) => row.resolved).map(({ id }) => id);
      await waitFor(() => resolvedIds().length >= resolved.length, { message: 'all are resolved' });
      expect(resolvedIds().sort()).toEqual(resolved.sort());
    }
  });

  it('publish no revision of an alert twice', () => {
    const published = [...harness.alerts.events, ...harness.alertChanges.events].map(
      ({ value }) => `${value?.alertId} ${value?.revision}`,
    );
    expect(new Set(published).size).toBe(published.length);
  });
});
