import { walletKey } from '@plimsoll/contracts';
import { samplePosition, sampleWallet, sampleWatch } from '@plimsoll/testing';
import { Positions } from './positions';
import { Watches } from './watches';

const wallet = sampleWallet(1);

describe('Watches', () => {
  it('finds accounts of a wallet and wallets of an account until the tombstone', () => {
    const watches = new Watches();
    for (const account of ['acc_1', 'acc_2'])
      watches.apply(walletKey(account, wallet), sampleWatch(account, wallet));
    watches.apply(walletKey('acc_1', wallet), null);
    expect([...watches.accountsOf(wallet)]).toEqual(['acc_2']);
    expect([...watches.walletsOf('acc_1')]).toEqual([]);
    expect([...watches.walletsOf('acc_2')]).toEqual([wallet]);
  });

  it('treats a wallet above the cap of its tier as not watched', () => {
    const watches = new Watches();
    watches.apply(walletKey('acc_1', wallet), sampleWatch('acc_1', wallet));
    watches.apply(walletKey('acc_1', wallet), sampleWatch('acc_1', wallet, false));
    expect(watches.accountsOf(wallet).size).toBe(0);
  });
});

describe('Positions', () => {
  it('accepts only events above the known sequence', () => {
    const positions = new Positions();
    expect(positions.apply(samplePosition(wallet, 2, 'high'))?.band).toBe('high');
    expect(positions.apply(samplePosition(wallet, 2, 'low'))).toBeNull();
    expect(positions.apply(samplePosition(wallet, 1, 'low'))).toBeNull();
    const [id = ''] = positions.idsOf(wallet);
    expect(positions.open(id)?.band).toBe('high');
  });

  it('ignores an older event of a closed position', () => {
    const positions = new Positions();
    const { id } = samplePosition(wallet, 1, 'low');
    positions.apply(samplePosition(wallet, 2, 'none', { closed: true }));
    positions.apply(samplePosition(wallet, 1, 'low'));
    expect(positions.open(id)).toBeNull();
    positions.apply(samplePosition(wallet, 3, 'low'));
    expect(positions.open(id)?.asOfBlock).toBe(103);
  });
});
