import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AlertChangeV1, type AlertV1, NO_ALERT_CONTENT, type PositionV1 } from '@plimsoll/contracts';
import { samplePosition, sampleWallet } from '@plimsoll/testing';
import { streamAlert, streamPosition } from './stream-data';

const FIXTURES = join(__dirname, '../../../../libs/contracts/src/events/fixtures');
const fixture = (name: string): PositionV1 =>
  JSON.parse(readFileSync(join(FIXTURES, `${name}.json`), 'utf8')) as PositionV1;

const alert: AlertV1 = {
  alertId: 'alt_01aBcDeFgHiJkLmNoPqRsT',
  accountId: 'acc_01aBcDeFgHiJkLmNoPqRsT',
  status: 'active',
  type: 'price_move',
  severity: 'medium',
  title: 'ETH moved by 12 %',
  message: 'ETH fell by 12 % within an hour.',
  position: null,
  confidenceScore: 0.9,
  createdAt: '2026-11-21T12:00:00.120Z',
  resolvedAt: null,
};

const TIME = Date.parse('2026-11-21T12:00:01.000Z');
const CHANGED: AlertChangeV1 = {
  ...alert,
  level: 'critical',
  revision: 2,
  change: 'updated',
  previousSeverity: 'high',
  previousLevel: 'high',
};

describe('streamAlert', () => {
  it('states the change and the state before it', () => {
    const updatedAt = '2026-11-21T12:00:01.000Z';
    const { alertId: _id, accountId: _account, ...same } = CHANGED;
    const sent = { ...NO_ALERT_CONTENT, groupId: null, ...same, id: alert.alertId, updatedAt };
    expect(streamAlert(CHANGED, TIME)).toEqual(sent);
    expect(streamAlert({ ...CHANGED, reason: 'retracted' }, TIME)).toEqual({ ...sent, reason: 'retracted' });
    expect(streamAlert({ ...CHANGED, silenceEnded: 'muted' }, TIME)).toEqual({
      ...sent,
      silenceEnded: 'muted',
    });
    const resolvedAt = '2026-11-21T12:00:01.000Z';
    const resolved = { ...alert, status: 'resolved', resolvedAt, resolveReason: 'dust' } as const;
    expect(streamAlert(resolved, TIME)).toMatchObject({ change: 'resolved', resolveReason: 'dust' });
  });

  it('has the time of the change, and that of the event where an earlier release published it', () => {
    const updatedAt = '2026-11-21T12:00:00.970Z';
    expect(streamAlert({ ...CHANGED, updatedAt }, TIME)).toMatchObject({ updatedAt });
    expect(streamAlert(CHANGED, TIME)).toMatchObject({ updatedAt: '2026-11-21T12:00:01.000Z' });
  });

  it('is the REST form, without the account and with its optional fields', () => {
    const { alertId: id, type, severity, title, message, status, createdAt, resolvedAt } = alert;
    const sent = {
      ...NO_ALERT_CONTENT,
      groupId: null,
      confidenceScore: 0.9,
      change: 'created',
      id,
      type,
      severity,
      title,
      message,
      status,
      positionId: null,
      createdAt,
      resolvedAt,
    };
    expect(streamAlert(alert, TIME)).toEqual(sent);
    expect(streamAlert({ ...alert, asset: 'ETH' }, TIME)).toEqual({ ...sent, asset: 'ETH' });
    const ruleId = 'rule_01aBcDeFgHiJkLmNoPqRs';
    expect(streamAlert({ ...alert, ruleId }, TIME)).toEqual({ ...sent, ruleId });
  });
});

describe('streamPosition', () => {
  it('states the other dangers of the position when its event has them', () => {
    const event = samplePosition(sampleWallet(1), 1, 'high');
    const older = { ...event };
    delete older.flags;
    expect(streamPosition(older)).not.toHaveProperty('flags');
    expect(streamPosition({ ...event, flags: ['redemption'] })).toMatchObject({ flags: ['redemption'] });
  });

  it('states where the health factor comes from when its event does', () => {
    expect(streamPosition(fixture('position.v1+verification')).verification).toBe('contract');
    expect(streamPosition(fixture('position.v1'))).not.toHaveProperty('verification');
  });

  it('states the receipt of this change only', () => {
    const event = fixture('position.v1+receipt');
    expect(streamPosition(event).receiptHash).toBe(event.receiptHash);
    const later = { ...event, sequence: event.sequence + 1 };
    expect(streamPosition(later)).not.toHaveProperty('receiptHash');
    expect(streamPosition(fixture('position.v1'))).not.toHaveProperty('receiptHash');
  });

  it('shows the level of its figures beside the band with hysteresis', () => {
    const event = samplePosition(sampleWallet(1), 1, 'liquidatable', {
      healthFactor: 1.01,
      healthFactorRaw: '1010000000000000000',
      level: 'critical',
      probability7d: null,
    });
    expect(streamPosition(event)).toMatchObject({
      band: 'liquidatable',
      riskLevel: 'critical',
      riskLevelBasis: 'health_factor',
      riskLevelReason: 'Health factor 1.01 is between 1.00 and 1.10.',
      probability7d: null,
    });
    const { level: _unsaid, ...older } = event;
    expect(streamPosition(older)).toMatchObject({ band: 'liquidatable', riskLevel: 'critical' });
  });

  it('includes supplied assets that are not collateral, and marks dust by their sum', () => {
    const event = fixture('position.v1+level');
    const position = streamPosition(event);
    expect(position).toMatchObject({ totalCollateralUsd: 24_000, totalSuppliedUsd: 25_500, isDust: false });
    expect(position.netWorthUsd).toBeCloseTo(25_500 - 20_355.03, 9);
    const { totalSuppliedUsd: _unsaid, ...older } = event;
    expect(streamPosition(older).totalSuppliedUsd).toBe(25_500);
    const small = { ...event, totalSuppliedUsd: 0.02, totalDebtUsd: 0.01 };
    expect(streamPosition(small).isDust).toBe(true);
    expect(streamPosition({ ...small, usdPerBaseRaw: '0' }).isDust).toBe(false);
  });
});
