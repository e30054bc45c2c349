import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AlertChangeV1,
  type AlertV1,
  type EventTopic,
  type EventValue,
  NO_ALERT_CONTENT,
  type PositionV1,
  RISK_THRESHOLDS,
  WEBHOOK_DATA,
  alertContentOf,
  derivedId,
  newId,
} from '@plimsoll/contracts';
import type { ReceivedEvent } from '@plimsoll/event-bus';
import {
  alertChangeWebhookEvent,
  alertWebhookEvent,
  groupWebhookEvent,
  positionWebhookEvents,
  webhookBody,
} from './webhook-event';

const FIXTURES = join(__dirname, '../../../../libs/contracts/src/events/fixtures');
const fixture = <T extends EventTopic>(topic: T): EventValue<T> =>
  JSON.parse(readFileSync(join(FIXTURES, `${topic}.json`), 'utf8')) as EventValue<T>;

const received = <T>(value: T): ReceivedEvent<T> => ({
  id: 'evt_01aBcDeFgHiJkLmNoPqRsT',
  key: 'key',
  value,
  time: Date.parse('2026-11-21T12:00:00.500Z'),
  offset: '7',
  partition: 0,
  requestId: 'req-1',
  traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
});
const ofAlert = (changes: Partial<AlertV1> = {}) => {
  const alert = { ...fixture('alert.v1'), ...changes };
  return alertWebhookEvent(received(alert), alert);
};
const ofPosition = (changes: Partial<PositionV1> = {}) => {
  const position = { ...fixture('position.v1'), ...changes };
  return positionWebhookEvents(received(position), position);
};

/** The fixtures' wallet with its checksum. */
const SHOWN_WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

describe('the webhook event of an alert', () => {
  it('is alert.created with the id, time and cause of the Kafka event', () => {
    const { position, alertId, title, message, type } = fixture('alert.v1');
    const { band: _band, ...shown } = position!;
    expect(ofAlert()).toEqual({
      eventId: 'evt_01aBcDeFgHiJkLmNoPqRsT',
      event: 'alert.created',
      timestamp: '2026-11-21T12:00:00.500Z',
      requestId: 'req-1',
      traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
      data: {
        ...alertContentOf(fixture('alert.v1')),
        groupId: null,
        alertId,
        alertType: 'danger',
        type,
        severity: 4,
        title,
        message,
        position: { ...shown, wallet: SHOWN_WALLET },
        confidenceScore: 0.9,
      },
    });
  });

  it.each([
    ['info', 1, 'warning'],
    ['low', 2, 'warning'],
    ['medium', 3, 'warning'],
    ['high', 4, 'danger'],
    ['critical', 5, 'critical'],
  ] as const)('has severity %s as %s and alertType %s', (severity, number, alertType) => {
    expect(ofAlert({ severity }).data).toMatchObject({ severity: number, alertType });
  });

  it('is alert.resolved with alertType safe', () => {
    const { event, data } = ofAlert({
      status: 'resolved',
      resolvedAt: '2026-11-21T12:10:00.000Z',
      position: null,
    });
    const { alertId, title, type } = fixture('alert.v1');
    expect(event).toBe('alert.resolved');
    expect(data).toEqual({
      ...NO_ALERT_CONTENT,
      groupId: null,
      alertId,
      alertType: 'safe',
      type,
      title,
      position: null,
    });
  });
});

describe('the receipt of an alert', () => {
  const receipts = (name: string): unknown => {
    const value = JSON.parse(readFileSync(join(FIXTURES, `${name}.json`), 'utf8')) as AlertV1;
    return (ofAlert(value).data as { receiptHash: unknown }).receiptHash;
  };

  it('is in its webhook event, and null for an event of an earlier release', () => {
    expect(receipts('alert.v1+receipt')).toBe('cd'.repeat(32));
    expect(receipts('alert.v1+verification')).toBeNull();
    expect(receipts('alert.v1')).toBeNull();
  });
});

describe('the webhook event of a group', () => {
  it('is alert.group with numeric severities and without its account', () => {
    const value = fixture('alert-group.v1');
    const { event, data } = groupWebhookEvent(received(value), value);
    expect(event).toBe('alert.group');
    expect(data).toMatchObject({ groupId: value.groupId, count: 2, table: value.table });
    expect(data).not.toHaveProperty('accountId');
    expect(WEBHOOK_DATA['alert.group'].properties.alerts.maxItems).toBe(100);
    expect((data as { alerts: { severity: number }[] }).alerts.map(({ severity }) => severity)).toEqual([
      5, 5,
    ]);
  });
});

describe('the webhook event of a change', () => {
  const ofChange = (over: Partial<AlertChangeV1> = {}) => {
    const value = { ...fixture('alert-change.v1'), level: 'critical' as const, revision: 2, ...over };
    return { value, event: alertChangeWebhookEvent(received(value), value) };
  };

  it.each(['escalated', 'updated'] as const)('is alert.%s with the state before it', (change) => {
    const { value, event } = ofChange({ change });
    expect(event).toMatchObject({
      eventId: 'evt_01aBcDeFgHiJkLmNoPqRsT',
      event: `alert.${change}`,
      data: {
        alertId: value.alertId,
        alertType: 'critical',
        severity: 5,
        previousSeverity: 4,
        level: 'critical',
        previousLevel: 'high',
        revision: 2,
      },
    });
    expect(event.data).not.toHaveProperty('reason');
  });

  it('states that a silence ended', () => {
    expect(ofChange({ change: 'updated', silenceEnded: 'muted' }).event.data).toMatchObject({
      silenceEnded: 'muted',
    });
  });

  it('states that a reorg retracted a worsening', () => {
    expect(ofChange({ change: 'updated', reason: 'retracted' }).event.data).toMatchObject({
      reason: 'retracted',
    });
  });

  it('is alert.resolved with the reason and the alert that replaced it', () => {
    const file = join(FIXTURES, 'alert.v1+life-cycle.json');
    const value = JSON.parse(readFileSync(file, 'utf8')) as AlertV1;
    const { data } = alertWebhookEvent(received(value), value);
    expect(data).toMatchObject({
      alertType: 'safe',
      resolveReason: 'escalated',
      escalatedTo: value.escalatedTo,
      level: 'liquidatable',
    });
  });
});

describe('the webhook events of a position', () => {
  it('are position.updated under the id of the Kafka event and position.liquidation_risk under a derived id', () => {
    const [updated, risk] = ofPosition();
    const { id: positionId, protocol, chainId } = fixture('position.v1');
    expect(updated).toMatchObject({ eventId: 'evt_01aBcDeFgHiJkLmNoPqRsT', event: 'position.updated' });
    expect(updated?.data).toEqual({
      positionId,
      wallet: SHOWN_WALLET,
      healthFactor: 1.2375,
      previousHealthFactor: 1.41,
      totalCollateralUsd: 7500,
      totalDebtUsd: 5000,
      protocol,
      chainId,
    });
    expect(risk).toMatchObject({
      eventId: derivedId('evt', 'evt_01aBcDeFgHiJkLmNoPqRsT', 'position.liquidation_risk'),
      event: 'position.liquidation_risk',
    });
    expect(risk?.data).toEqual({
      positionId,
      wallet: SHOWN_WALLET,
      healthFactor: 1.2375,
      protocol,
      chainId,
      riskLevel: 'high',
      riskLevelBasis: 'health_factor',
      riskLevelReason: 'Health factor 1.2375 is between 1.10 and 1.25.',
      riskThresholds: RISK_THRESHOLDS,
    });
  });

  it('have the receipt of this change only', () => {
    const own = { receiptHash: 'cd'.repeat(32), receiptSequence: fixture('position.v1').sequence };
    const receipts = (changes: Partial<PositionV1>) =>
      ofPosition(changes).map(({ data }) => (data as { receiptHash?: string }).receiptHash);
    expect(receipts(own)).toEqual([own.receiptHash, own.receiptHash]);
    expect(receipts({ ...own, receiptSequence: own.receiptSequence - 1 })).toEqual([undefined, undefined]);
  });

  const below = { healthFactor: 0.99, healthFactorRaw: '990000000000000000', material: false };
  const heldBand = { band: 'liquidatable', previousBand: 'liquidatable' } as const;

  it('report liquidation risk at each fall below 1, although hysteresis kept the band', () => {
    const [risk, ...others] = ofPosition({
      ...below,
      ...heldBand,
      level: 'liquidatable',
      previousLevel: 'critical',
    });
    expect(others).toEqual([]);
    expect(risk?.data).toMatchObject({
      riskLevel: 'liquidatable',
      riskLevelReason: 'Health factor 0.99 is below 1.00.',
    });
    const back = { healthFactor: 1.01, healthFactorRaw: '1010000000000000000', material: false };
    const recovery = { ...back, ...heldBand, level: 'critical', previousLevel: 'liquidatable' } as const;
    expect(ofPosition(recovery)).toEqual([]);
    const deeper = { ...below, ...heldBand, level: 'liquidatable', previousLevel: 'liquidatable' } as const;
    expect(ofPosition(deeper)).toEqual([]);
  });

  it('detect the fall in events of earlier releases by the previous health factor', () => {
    expect(ofPosition({ ...below, ...heldBand, previousHealthFactor: 1.01 })).toHaveLength(1);
    expect(ofPosition({ ...below, ...heldBand, previousHealthFactor: 0.995 })).toEqual([]);
    expect(ofPosition({ ...below, ...heldBand, previousHealthFactor: null })).toEqual([]);
  });

  it('carry the level of the health factor beside it, not the band with hysteresis', () => {
    const [risk] = ofPosition({ band: 'liquidatable', previousBand: 'high', material: false });
    expect(risk?.data).toMatchObject({ healthFactor: 1.2375, riskLevel: 'critical' });
    const [stated] = ofPosition({
      band: 'critical',
      previousBand: 'low',
      level: 'critical',
      previousLevel: 'low',
      healthFactor: 1.01,
      healthFactorRaw: '1010000000000000000',
      probability7d: 0.41,
      material: false,
    });
    expect(stated?.data).toMatchObject({ riskLevel: 'critical', riskLevelBasis: 'probability_7d' });
  });

  it.each([
    ['moderate', 'high', true],
    ['high', 'critical', true],
    ['critical', 'liquidatable', true],
    ['none', 'liquidatable', true],
    [null, 'high', true],
    ['low', 'moderate', false],
    ['high', 'high', false],
    ['critical', 'high', false],
    ['liquidatable', 'none', false],
    [null, 'low', false],
  ] as const)('from %s to %s: liquidation risk %s', (previousBand, band, expected) => {
    const types = ofPosition({ previousBand, band }).map(({ event }) => event);
    expect(types.includes('position.liquidation_risk')).toBe(expected);
  });

  it('are none for a change that is not material and enters no band of risk', () => {
    expect(ofPosition({ material: false, previousBand: 'high', band: 'high' })).toEqual([]);
  });
});

describe('webhookBody', () => {
  it('is the envelope with the endpoint in it', () => {
    const webhookId = newId('wh');
    const event = ofAlert();
    expect(JSON.parse(webhookBody(event, webhookId))).toEqual({
      event: 'alert.created',
      timestamp: event.timestamp,
      webhookId,
      eventId: event.eventId,
      data: event.data,
    });
  });
});
