import type { Severity } from '@plimsoll/contracts';
import { type AssetAlert, assetAlertChanges, someChanges } from './asset-alert';
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
});
const alert = (accountId: string, asset = 'ETH', severity: Severity = 'medium'): AssetAlert => ({
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
const changes = (conditions: AssetCondition[], active: AssetAlert[]) => {
  const { open, resolve } = assetAlertChanges(conditions, holders, active);
  return {
    open: open.map(({ accountId, severity }) => `${accountId} ${severity}`),
    resolve: resolve.map((each) => `${each.alert.accountId}: ${each.text.title}`),
  };
};

describe('assetAlertChanges', () => {
  it('opens for every holder that has none, and resolves those of others', () => {
    expect(changes([condition('ETH', 'medium')], [alert('one'), alert('gone')])).toEqual({
      open: ['two medium'],
      resolve: ['gone: ETH no longer held'],
    });
  });

  it('resolves all when it is over', () => {
    expect(changes([condition('ETH', null)], [alert('one')])).toEqual({
      open: [],
      resolve: ['one: ETH null'],
    });
  });

  it('replaces an alert by a worse one', () => {
    expect(changes([condition('ETH', 'high')], [alert('one'), alert('two', 'ETH', 'high')])).toEqual({
      open: ['one high'],
      resolve: ['one: ETH high'],
    });
  });

  it('leaves other assets alone', () => {
    expect(changes([condition('BTC', 'medium')], [alert('one')])).toEqual({ open: [], resolve: [] });
  });
});

describe('someChanges', () => {
  const worse = assetAlertChanges([condition('ETH', 'high')], holders, [alert('one'), alert('two')]);

  it('gives all that there is of the first accounts, and says that others are left', () => {
    const { changes: some, isAll } = someChanges(worse, 1);
    expect(some.resolve.map((each) => each.alert.accountId)).toEqual(['one']);
    expect(some.open.map(({ accountId }) => accountId)).toEqual(['one']);
    expect(isAll).toBe(false);
  });

  it('gives everything when it is no more than that', () => {
    expect(someChanges(worse, 4)).toEqual({ changes: worse, isAll: true });
    expect(someChanges({ resolve: [], open: [] }, 4).isAll).toBe(true);
  });
});
