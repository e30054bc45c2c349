import { EVENTS, GROUP_ROWS, NO_ALERT_CONTENT, derivedId } from '@plimsoll/contracts';
import fc from 'fast-check';
import { type GroupedAlert, alertGroup, blockCause, groupIdOf, pricesCause } from './alert-group';

const CAUSE = blockCause(1, 21_400_000, Date.parse('2026-11-23T12:00:00.000Z'));
const ACCOUNT = derivedId('acc', 1);
const GROUP = groupIdOf(ACCOUNT, CAUSE);

const alert = (number: number, healthFactor: number | null, usdAtStake: number): GroupedAlert => ({
  alertId: derivedId('alt', number),
  type: 'liquidation_risk',
  severity: 'critical',
  title: `Alert ${number}`,
  asset: null,
  content: {
    ...NO_ALERT_CONTENT,
    wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    protocolName: 'Aave V3',
    chainName: 'Ethereum',
    positionId: derivedId('pos', number),
    healthFactor: { before: 1.2, now: healthFactor, threshold: 1 },
    usdAtStake,
  },
});

describe('groupIdOf', () => {
  it('is the same for the same account and cause only', () => {
    expect(groupIdOf(ACCOUNT, blockCause(1, 21_400_000, 5))).toBe(GROUP);
    const others = [blockCause(1, 21_400_001, 0), blockCause(10, 21_400_000, 0), pricesCause(0)];
    const ids = [...others.map((cause) => groupIdOf(ACCOUNT, cause)), groupIdOf(derivedId('acc', 2), CAUSE)];
    expect(new Set([GROUP, ...ids]).size).toBe(5);
  });

  it('joins price moves of one second', () => {
    expect(groupIdOf(ACCOUNT, pricesCause(5_000))).toBe(groupIdOf(ACCOUNT, pricesCause(5_999)));
    expect(groupIdOf(ACCOUNT, pricesCause(5_000))).not.toBe(groupIdOf(ACCOUNT, pricesCause(6_000)));
  });
});

describe('alertGroup', () => {
  it('lists the alerts from the lowest health factor, and sums their values', () => {
    const group = alertGroup(GROUP, CAUSE, [alert(1, 1.0412, 7_500), alert(2, 0.9636, 5_000)]);
    expect(group).toMatchObject({
      title: '2 alerts in block 21,400,000 of Ethereum, lowest health factor 0.9636',
      count: 2,
      truncated: 0,
      usdAtStake: 12_500,
      worstHealthFactor: 0.9636,
    });
    expect(group.table).toBe(
      [
        '| Position | Wallet | Health factor | At stake |',
        '|---|---|---:|---:|',
        '| Aave V3 on Ethereum | 0x7099…79C8 | 0.9636 | $5,000.00 |',
        '| Aave V3 on Ethereum | 0x7099…79C8 | 1.0412 | $7,500.00 |',
      ].join('\n'),
    );
    expect(EVENTS['alert-group.v1'].explain({ accountId: ACCOUNT, ...group })).toBe('');
  });

  it('names each wallet as the account does', () => {
    const { content, ...rest } = alert(1, 1.05, 100);
    const named = { ...rest, content: { ...content!, walletLabel: 'Cold | main' } };
    const group = alertGroup(GROUP, CAUSE, [named, alert(2, 1.08, 100)]);
    expect(group.alerts.map(({ walletLabel }) => walletLabel)).toEqual(['Cold | main', null]);
    expect(group.table).toContain('| Aave V3 on Ethereum | Cold \\| main (0x7099…79C8) | 1.05 | $100.00 |');
    expect(EVENTS['alert-group.v1'].explain({ accountId: ACCOUNT, ...group })).toBe('');
  });

  it('counts a position with two alerts once', () => {
    const twice = { ...alert(1, 1.05, 100), alertId: derivedId('alt', 9), type: 'collateral_drop' as const };
    expect(alertGroup(GROUP, CAUSE, [alert(1, 1.05, 100), twice]).usdAtStake).toBe(100);
  });

  it('lists at most its bound, and states how many it omits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 350 }), (count) => {
        const alerts = Array.from({ length: count }, (_, at) => alert(at, 1 + at / 1_000, 1));
        const group = alertGroup(GROUP, CAUSE, alerts);
        expect(group.alerts).toHaveLength(Math.min(count, GROUP_ROWS));
        expect(group.truncated + group.alerts.length).toBe(group.count);
        expect(group.usdAtStake).toBe(count);
        expect(group.alerts[0]?.healthFactor).toBe(group.worstHealthFactor);
      }),
      { numRuns: 30 },
    );
  });
});
