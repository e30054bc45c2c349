import type { AlertV1 } from '@plimsoll/contracts';
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

describe('streamAlert', () => {
  it('is the REST form: without the account, and with what the alert is about where it says so', () => {
    const { alertId: id, type, severity, title, message, status, createdAt, resolvedAt } = alert;
    const sent = { id, type, severity, title, message, status, positionId: null, createdAt, resolvedAt };
    expect(streamAlert(alert)).toEqual(sent);
    expect(streamAlert({ ...alert, asset: 'ETH' })).toEqual({ ...sent, asset: 'ETH' });
    const ruleId = 'rule_01aBcDeFgHiJkLmNoPqRs';
    expect(streamAlert({ ...alert, ruleId })).toEqual({ ...sent, ruleId });
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
