import type { Severity } from '@plimsoll/contracts';
import type { Alert } from '../../lifecycle/alert';
import { assetAlertChanges, someChanges } from './asset-alert';
import type { AssetCondition } from './asset-condition';

const condition = (asset: string, severity: Severity | null): AssetCondition => ({
  asset,
  type: 'price_move',
  severity,
  title: `${asset} ${severity}`,
  message: '',
  lastSeverity: severity ?? 'medium',
  clearedAtMs: null,
  move: null,
  beganAtMs: null,
});
const alert = (accountId: string, asset = 'ETH', severity: Severity = 'medium'): Alert => ({
  id: `${accountId} ${asset}`,
  accountId,
  asset,
  type: 'price_move',
  severity,
  title: '',
  message: '',
  confidenceScore: 1,
  createdAtMs: 0,
});
const holders = ['one', 'two'].map((accountId) => ({ asset: 'ETH', accountId }));
const changes = (conditions: AssetCondition[], active: Alert[]) => {
  const { open, resolve } = assetAlertChanges(conditions, holders, active);
  return {
    open: open.map(({ accountId, severity }) => `${accountId} ${severity}`),
    resolve: resolve.map((each) => `${each.alert.accountId}: ${each.text.title}`),
  };
};

describe('assetAlertChanges', () => {
  it('opens an alert for each holder without one, and resolves alerts of accounts that no longer hold the asset', () => {
    expect(changes([condition('ETH', 'medium')], [alert('one'), alert('gone')])).toEqual({
      open: ['two medium'],
      resolve: ['gone: ETH no longer held'],
    });
  });

  it('resolves all alerts when the condition ends', () => {
    expect(changes([condition('ETH', null)], [alert('one')])).toEqual({
      open: [],
      resolve: ['one: ETH null'],
    });
  });

  it('replaces an alert with a worse one', () => {
    expect(changes([condition('ETH', 'high')], [alert('one'), alert('two', 'ETH', 'high')])).toEqual({
      open: ['one high'],
      resolve: ['one: ETH high'],
    });
  });

  it('does not change alerts about other assets', () => {
    expect(changes([condition('BTC', 'medium')], [alert('one')])).toEqual({ open: [], resolve: [] });
  });
});

describe('someChanges', () => {
  const worse = assetAlertChanges([condition('ETH', 'high')], holders, [alert('one'), alert('two')]);

  it('returns all changes of the first accounts, and reports that others remain', () => {
    const { changes: some, isAll } = someChanges(worse, 1);
    expect(some.resolve.map((each) => each.alert.accountId)).toEqual(['one']);
    expect(some.open.map(({ accountId }) => accountId)).toEqual(['one']);
    expect(isAll).toBe(false);
  });

  it('returns everything within the limit', () => {
    expect(someChanges(worse, 4)).toEqual({ changes: worse, isAll: true });
    expect(someChanges({ resolve: [], open: [] }, 4).isAll).toBe(true);
  });
});
