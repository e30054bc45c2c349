import { type IncidentFactKind, type Severity, derivedId } from '@plimsoll/contracts';
import { samplePosition, sampleWallet } from '@plimsoll/testing';
import fc from 'fast-check';
import { positionState } from '../positions/position-state';
import type { IncidentNote } from './incident';
import { IncidentBook, type PriorAlert, RUN_WINDOW_MS } from './incident-book';

const NOW = 1_800_000_000_000;
const ACCOUNT = derivedId('acc', 1);
const position = (number: number, chainId = 1) =>
  positionState(samplePosition(sampleWallet(number), 1, 'high', { chainId, id: derivedId('pos', number) }));

function note(
  type: IncidentFactKind,
  number: number,
  severity: Severity = 'high',
  chainId = 1,
): IncidentNote {
  const isAlert = type.startsWith('alert_');
  const alert = { id: derivedId('alt', number), createdAtMs: NOW, incidentId: null };
  const of = { accountId: ACCOUNT, position: position(number, chainId), message: '', atMs: NOW };
  return { ...of, type, alert: isAlert ? alert : null, severity: isAlert ? severity : null };
}
const prior = (number: number, over: Partial<PriorAlert> = {}): PriorAlert => ({
  accountId: ACCOUNT,
  protocol: 'aave-v3',
  chainId: 1,
  alertId: derivedId('alt', number),
  positionId: derivedId('pos', number),
  severity: 'high',
  incidentId: null,
  isActive: true,
  openedAtMs: NOW - 1_000,
  ...over,
});

function book(notes: IncidentNote[], alerts: PriorAlert[] = []): IncidentBook {
  let made = 0;
  const sources = { nowMs: NOW, newIncidentId: () => derivedId('inc', (made += 1)) };
  const found = new IncidentBook([], alerts, sources);
  for (const each of notes) found.apply(each);
  return found;
}

describe('IncidentBook', () => {
  it('opens when an active alert becomes critical, and raises the severity of its incident', () => {
    const { opened, joined } = book([note('alert_escalated', 1, 'critical')], [prior(1)]);
    expect(opened).toMatchObject([{ trigger: 'critical_alert', severity: 'critical' }]);
    expect([...joined]).toEqual([[derivedId('alt', 1), opened[0]?.id]]);
    const withNew = book(
      [note('alert_opened', 2, 'critical'), note('alert_escalated', 1, 'critical')],
      [prior(1)],
    );
    expect([...withNew.joined.keys()].sort()).toEqual([derivedId('alt', 1), derivedId('alt', 2)].sort());
    expect([...withNew.joinedStored.keys()]).toEqual([derivedId('alt', 1)]);
    const raised = book([
      note('alert_opened', 1),
      note('liquidation', 1),
      note('alert_escalated', 1, 'critical'),
    ]);
    expect(raised.opened).toMatchObject([{ trigger: 'liquidation', severity: 'critical' }]);
  });

  it('opens on a critical alert, with the alerts that were active on the position', () => {
    const old = prior(1, { alertId: derivedId('alt', 'old'), openedAtMs: NOW - 10 * RUN_WINDOW_MS });
    const elsewhere = prior(2, { openedAtMs: NOW - 10 * RUN_WINDOW_MS });
    const { opened, joined } = book([note('alert_opened', 1, 'critical')], [old, elsewhere]);
    expect(opened).toMatchObject([{ trigger: 'critical_alert', severity: 'critical', closedAtMs: null }]);
    expect([...joined.keys()].sort()).toEqual([derivedId('alt', 1), derivedId('alt', 'old')].sort());
  });

  it('opens on the third alert of a market within ten minutes, and includes the two before', () => {
    expect(book([note('alert_opened', 1), note('alert_opened', 2)]).opened).toEqual([]);
    const run = book([note('alert_opened', 3)], [prior(1), prior(2, { isActive: false })]);
    expect(run.opened).toMatchObject([{ trigger: 'alert_run' }]);
    expect(run.joined.size).toBe(3);
    const stale = book([note('alert_opened', 3)], [prior(1), prior(2, { openedAtMs: NOW - RUN_WINDOW_MS })]);
    expect(stale.opened).toEqual([]);
    expect(book([1, 2, 3].map((n) => note('alert_opened', n, 'high', n))).opened).toEqual([]);
  });

  it('opens on a liquidation, and closes immediately when no alert is active', () => {
    expect(book([note('liquidation', 1)]).opened).toMatchObject([
      { trigger: 'liquidation', severity: 'critical', closedAtMs: NOW },
    ]);
  });

  it('includes notes from before it opened, also of the same batch', () => {
    const { placed, opened } = book([note('alert_opened', 1), note('alert_opened', 2, 'critical')]);
    expect(placed.map(({ incidentId }) => incidentId)).toEqual([opened[0]?.id, opened[0]?.id]);
  });

  it('closes when its last alert resolves, and not earlier', () => {
    const notes = [
      note('alert_opened', 1, 'critical'),
      note('alert_opened', 2),
      note('band_changed', 2),
      note('alert_resolved', 1),
    ];
    const half = book(notes);
    expect(half.opened[0]?.closedAtMs).toBeNull();
    expect(half.placed.map(({ note: { type }, incidentId }) => [type, incidentId])).toEqual(
      notes.map(({ type }) => [type, half.opened[0]?.id]),
    );
    expect(book([...notes, note('alert_resolved', 2)]).opened[0]?.closedAtMs).toBe(NOW);
  });

  it('keeps a change of the band only for an incident that is open', () => {
    expect(book([note('band_changed', 1)]).placed).toEqual([]);
  });

  it('in any order of notes, a market has one open incident exactly while an alert in it is active', () => {
    const any = fc.array(
      fc.tuple(
        fc.constantFrom<IncidentFactKind>('alert_opened', 'alert_resolved', 'liquidation', 'band_changed'),
        fc.integer({ min: 1, max: 6 }),
        fc.constantFrom<Severity>('medium', 'high', 'critical'),
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(any, (steps) => {
        const active = new Set<number>();
        const seen = new Set<number>();
        const notes = steps.flatMap(([type, number, severity]) => {
          if (type === 'alert_opened' && (active.has(number) || seen.has(number))) return [];
          if (type === 'alert_resolved' && !active.delete(number)) return [];
          if (type === 'alert_opened') active.add(seen.add(number) && number);
          return [note(type, number, severity)];
        });
        const { opened, joined } = book(notes);
        const stillOpen = opened.filter(({ closedAtMs }) => closedAtMs === null);
        expect(stillOpen.length).toBeLessThanOrEqual(1);
        for (const incident of opened) {
          const holdsActive = [...active].some((n) => joined.get(derivedId('alt', n)) === incident.id);
          expect(incident.closedAtMs === null).toBe(holdsActive);
        }
      }),
    );
  });
});
