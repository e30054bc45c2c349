import { type AlertChangeV1, type AlertV1, NO_ALERT_CONTENT } from '@plimsoll/contracts';
import { samplePosition, sampleWallet } from '@plimsoll/testing';
import { streamAlert, streamPosition } from './stream-data';

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
  it('says what changed, and what it was before', () => {
    const updatedAt = '2026-11-21T12:00:01.000Z';
    const { alertId: _id, accountId: _account, ...same } = CHANGED;
    const sent = { ...NO_ALERT_CONTENT, groupId: null, ...same, id: alert.alertId, updatedAt };
    expect(streamAlert(CHANGED, TIME)).toEqual(sent);
    expect(streamAlert({ ...CHANGED, reason: 'retracted' }, TIME)).toEqual({ ...sent, reason: 'retracted' });
    const resolvedAt = '2026-11-21T12:00:01.000Z';
    const resolved = { ...alert, status: 'resolved', resolvedAt, resolveReason: 'dust' } as const;
    expect(streamAlert(resolved, TIME)).toMatchObject({ change: 'resolved', resolveReason: 'dust' });
  });

  it('is the REST form: without the account, and with what the alert is about where it says so', () => {
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
  it('says what the position is exposed to, where its event does', () => {
    const event = samplePosition(sampleWallet(1), 1, 'high');
    const older = { ...event };
    delete older.flags;
    expect(streamPosition(older)).not.toHaveProperty('flags');
    expect(streamPosition({ ...event, flags: ['redemption'] })).toMatchObject({ flags: ['redemption'] });
  });
});
