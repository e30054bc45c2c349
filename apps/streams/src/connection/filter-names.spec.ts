import { Problem } from '@plimsoll/contracts';
import { NAMES_A_MINUTE, type NameResolver, type ServiceCalls } from '@plimsoll/service-kit';
import { FilterNames, frameErrorOf } from './filter-names';

const ADA = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const OWN = { signedIdentity: 'of streams' };

describe('FilterNames', () => {
  const lookedUp: [name: string, field: string][] = [];
  const resolver = {
    addressOf: (name: string, field: string, { caller }: Parameters<NameResolver['addressOf']>[2]) => {
      expect(caller).toBe(OWN);
      lookedUp.push([name, field]);
      return Promise.resolve({ name, address: ADA, block: 7 });
    },
  } as NameResolver;
  const calls = { ownCaller: () => OWN } as unknown as ServiceCalls;
  const named = (count: number) => ({ wallets: Array.from({ length: count }, (_, at) => `n${at}.eth`) });
  const errorOf = (promise: Promise<unknown>) =>
    promise.then(
      () => null,
      (error: unknown) => frameErrorOf(error),
    );
  beforeEach(() => (lookedUp.length = 0));

  it('looks up each name once, with its place and the identity of the service', async () => {
    const names = new FilterNames(calls, resolver);
    const wallets = [ADA, 'ada.eth', 'bob.eth', 'ada.eth'];
    expect(await names.addressesOf({ wallets }, 'acc_1')).toEqual(
      new Map([
        ['ada.eth', ADA],
        ['bob.eth', ADA],
      ]),
    );
    expect(lookedUp).toEqual([
      ['ada.eth', '/filter/wallets/1'],
      ['bob.eth', '/filter/wallets/2'],
    ]);
  });

  it('refuses more than 20 names, and any without a resolver, with the place', async () => {
    const names = new FilterNames(calls, resolver);
    expect(await errorOf(names.addressesOf(named(21), 'acc_1'))).toEqual({
      code: 'invalid_request',
      message: expect.stringMatching(/^\/filter\/wallets\/20: A filter may have 20/),
    });
    expect(await errorOf(new FilterNames(calls).addressesOf(named(1), 'acc_1'))).toEqual({
      code: 'invalid_request',
      message: expect.stringMatching(/^\/filter\/wallets\/0: .*Send the address/),
    });
    expect(lookedUp).toEqual([]);
  });

  it(`limits an account to ${NAMES_A_MINUTE} names a minute, and no other`, async () => {
    const names = new FilterNames(calls, resolver);
    for (let spent = 0; spent < NAMES_A_MINUTE; spent += 20) await names.addressesOf(named(20), 'acc_1');
    expect((await errorOf(names.addressesOf(named(1), 'acc_1')))!.code).toBe('rate_limited');
    expect(await errorOf(names.addressesOf(named(1), 'acc_2'))).toBeNull();
  });

  it('states an unexpected error without its text', () => {
    expect(frameErrorOf(new Error('secret')).message).not.toContain('secret');
    expect(frameErrorOf(new Problem('upstream_unavailable', 'Later.'))).toEqual({
      code: 'upstream_unavailable',
      message: 'Later.',
    });
  });
});
