import { NO_ALERT_CONTENT, WEBHOOK_EVENT_TYPES, type WebhookData } from '@plimsoll/contracts';
import { sampleData } from '../endpoints/sample-event';
import { type AppliedFilter, passes, subjectOf, walletsOf } from './event-filter';

const WEBHOOK = `wh_${'1'.repeat(22)}`;
const NONE: AppliedFilter = { severities: [], protocols: [], chainIds: [], wallets: null };
const sample = <E extends keyof WebhookData>(event: E, changes: Partial<WebhookData[E]> = {}) => ({
  event,
  data: { ...(sampleData(event, WEBHOOK, '2026-11-26T12:00:00.000Z') as WebhookData[E]), ...changes },
});
/** The samples are of aave-v3 on chain 1, critical where they have a severity, and high before a change. */
const ALL = WEBHOOK_EVENT_TYPES.map((event) => sample(event));
const passing = (filter: Partial<AppliedFilter>): string[] =>
  ALL.filter((event) => passes({ ...NONE, ...filter }, event)).map(({ event }) => event);

describe('passes', () => {
  it('lets everything pass without a filter', () => {
    expect(passing({})).toEqual([...WEBHOOK_EVENT_TYPES]);
  });

  it('compares severities of alerts only, before and after a change, and lets every end pass', () => {
    expect(passing({ severities: ['critical'] })).toEqual([...WEBHOOK_EVENT_TYPES]);
    const positions = ['position.updated', 'position.liquidation_risk', 'test.ping'];
    expect(passing({ severities: ['high'] })).toEqual([
      'alert.escalated',
      'alert.updated',
      'alert.resolved',
      ...positions,
    ]);
    expect(passing({ severities: ['info', 'low'] })).toEqual(['alert.resolved', ...positions]);
  });

  it('compares protocols and chains', () => {
    for (const filter of [{ protocols: ['venus', 'aave-v3'] }, { chainIds: [56, 1] }])
      expect(passing(filter)).toEqual([...WEBHOOK_EVENT_TYPES]);
    for (const filter of [{ protocols: ['venus'] }, { chainIds: [56] }])
      expect(passing(filter)).toEqual(['test.ping']);
  });

  it('compares wallets', () => {
    const [wallet] = walletsOf(sample('position.updated'));
    expect(wallet).toMatch(/^0x[0-9a-f]{40}$/);
    for (const event of ALL) expect([wallet, undefined]).toContain(walletsOf(event)[0]);
    expect(passing({ wallets: [wallet!] })).toEqual([...WEBHOOK_EVENT_TYPES]);
    expect(passing({ wallets: [] })).toEqual(['test.ping']);
    const ofAsset = sample('alert.created', { ...NO_ALERT_CONTENT, position: null });
    expect(passes({ ...NONE, wallets: [wallet!] }, ofAsset)).toBe(false);
  });

  it('applies all filters together', () => {
    expect(passing({ severities: ['critical'], protocols: ['aave-v3'], chainIds: [56] })).toEqual([
      'test.ping',
    ]);
  });

  it('refuses an alert without a protocol or chain only where one is listed', () => {
    const alert = sample('alert.created', { ...NO_ALERT_CONTENT, position: null });
    expect(passes({ ...NONE, severities: ['critical'] }, alert)).toBe(true);
    expect(passes({ ...NONE, protocols: ['aave-v3'] }, alert)).toBe(false);
    expect(passes({ ...NONE, chainIds: [1] }, alert)).toBe(false);
  });

  it('lets a group pass that lists one matching alert, or not all of its alerts', () => {
    const [row] = sample('alert.group').data.alerts;
    const other = { ...row!, protocolName: 'Venus', chainName: 'BNB Smart Chain', severity: 3 };
    const group = sample('alert.group', { alerts: [row!, other] });
    const filter = { ...NONE, protocols: ['venus'], chainIds: [56] };
    expect(passes({ ...filter, severities: ['medium'] }, group)).toBe(true);
    expect(passes({ ...filter, severities: ['critical'] }, group)).toBe(false);
    const cut = sample('alert.group', { alerts: [row!], truncated: 1 });
    expect(passes(filter, cut)).toBe(true);
  });
});

describe('subjectOf', () => {
  it('is the position, the alert without a position, the group, or the endpoint', () => {
    const id = (prefix: string): string => `${prefix}_${'0'.repeat(22)}`;
    const [positions, alerts] = [id('pos'), id('alt')];
    expect(Object.fromEntries(ALL.map((event) => [event.event, subjectOf(event)]))).toEqual({
      'alert.created': positions,
      'alert.escalated': positions,
      'alert.updated': positions,
      'alert.resolved': positions,
      'alert.group': id('grp'),
      'position.updated': positions,
      'position.liquidation_risk': positions,
      'test.ping': WEBHOOK,
    });
    expect(subjectOf(sample('alert.created', { ...NO_ALERT_CONTENT, position: null }))).toBe(alerts);
  });
});
