import { isId, type WalletV1 } from '@plimsoll/contracts';
import { outgoing, tombstone } from './outgoing';

const wallet: WalletV1 = {
  accountId: `acc_${'1'.repeat(22)}`,
  wallet: `0x${'a'.repeat(40)}`,
  enabled: true,
  watchedSince: '2026-11-21T12:00:00.000Z',
};

describe('outgoing', () => {
  it('has the key of the contract, an event id and the correlation', () => {
    const event = outgoing('wallet.v1', wallet, { requestId: 'req-1' });
    expect(event).toMatchObject({ topic: 'wallet.v1', requestId: 'req-1', traceparent: undefined });
    expect(event.key).toBe(`${wallet.accountId}|${wallet.wallet}`);
    expect(JSON.parse(event.value ?? '')).toEqual(wallet);
    expect(isId('evt', event.eventId)).toBe(true);
  });

  it('keeps a given event id', () => {
    expect(outgoing('wallet.v1', wallet, { eventId: 'evt_x' }).eventId).toBe('evt_x');
  });

  it('rejects an invalid value and names the path', () => {
    expect(() => outgoing('wallet.v1', { ...wallet, wallet: '0x1' })).toThrow('/wallet');
  });

  it('rejects a value that no broker accepts', () => {
    expect(() => outgoing('wallet.v1', { ...wallet, note: 'x'.repeat(900_001) } as WalletV1)).toThrow(
      '900000',
    );
  });
});

describe('tombstone', () => {
  it('has no value', () => {
    expect(tombstone('wallet.v1', 'a|b')).toMatchObject({ topic: 'wallet.v1', key: 'a|b', value: null });
  });

  it('is rejected for a log', () => {
    expect(() => tombstone('alert.v1', 'acc_1')).toThrow('alert.v1 is a log');
  });
});
