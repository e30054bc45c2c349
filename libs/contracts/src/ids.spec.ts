import fc from 'fast-check';
import { base62, firstIdAt, isId, isTestAccount, newId, positionId, testAccountId } from './ids';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('ids', () => {
  it('sort like their bytes', () => {
    const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        const [x, y] = [base62(a), base62(b)];
        expect(x).toHaveLength(22);
        expect(Math.sign(Buffer.compare(a, b))).toBe(x < y ? -1 : x > y ? 1 : 0);
      }),
    );
  });

  it('are the base-62 number of their bytes', () => {
    const numberOf = (text: string): bigint =>
      [...text].reduce((sum, digit) => sum * 62n + BigInt(DIGITS.indexOf(digit)), 0n);
    const check = (bytes: Uint8Array): void =>
      expect(numberOf(base62(bytes))).toBe(BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
    fc.assert(fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), check));
    // Any number of leading zeros and of ones.
    for (let at = 0; at <= 16; at += 1) {
      check(new Uint8Array(16).fill(255, at));
      check(new Uint8Array(16).fill(255, 0, at));
    }
  });

  it('are recognised by prefix and form', () => {
    expect(isId('wh', newId('wh'))).toBe(true);
    expect(isId('wh', newId('del'))).toBe(false);
    expect(isId('wh', 'wh_../../etc/passwd000000')).toBe(false);
  });

  it('of a position ignore the case of its parts', () => {
    const key = { protocol: 'aave-v3', chainId: 1, market: 'AaveV3Local', subId: '', wallet: '0xABCDEF' };
    expect(positionId(key)).toBe(positionId({ ...key, wallet: '0xabcdef', market: 'aavev3local' }));
    expect(positionId(key)).not.toBe(positionId({ ...key, chainId: 10 }));
  });
});

describe('firstIdAt', () => {
  it('is below the ids created from then on, and above those created before', () => {
    const nowMs = Date.now();
    const id = newId('del');
    expect(firstIdAt('del', nowMs) < id).toBe(true);
    expect(firstIdAt('del', nowMs + 120_000) > id).toBe(true);
  });

  it('accepts any time', () => {
    expect(firstIdAt('del', 0)).toBe(`del_${'0'.repeat(22)}`);
    expect(firstIdAt('del', -1)).toBe(firstIdAt('del', 0));
  });
});

describe('ids of test mode', () => {
  /** The module of a process in test mode. */
  const inTestMode = (): typeof import('./ids') => {
    let ids!: typeof import('./ids');
    jest.isolateModules(() => {
      ids = require('./ids') as typeof import('./ids');
      ids.useTestIds();
    });
    return ids;
  };
  const KEY = { protocol: 'aave-v3', chainId: 1, market: 'm', subId: '', wallet: '0x1' };

  it('have test_ after the prefix, whatever makes them', () => {
    const ids = inTestMode();
    for (const id of [ids.newId('alt'), ids.firstIdAt('alt', Date.now()), ids.derivedId('alt', 1)]) {
      expect(id).toMatch(/^alt_test_[0-9A-Za-z]{22}$/);
      expect(isId('alt', id)).toBe(true);
    }
    expect(ids.positionId(KEY)).toBe(positionId(KEY).replace('pos_', 'pos_test_'));
  });

  it('stay live in every other process', () => {
    inTestMode();
    expect(newId('alt')).toMatch(/^alt_[0-9A-Za-z]{22}$/);
  });

  it('of an account are the same each time, and never those of a live account', () => {
    const accountId = newId('acc');
    expect(testAccountId(accountId)).toBe(testAccountId(accountId));
    expect(isTestAccount(testAccountId(accountId))).toBe(true);
    expect(isTestAccount(accountId)).toBe(false);
  });

  it.each(['alt_test_', 'alt_test_short', `alt_live_${'a'.repeat(22)}`, `test_${'a'.repeat(22)}`])(
    'are not %s',
    (text) => expect(isId('alt', text)).toBe(false),
  );
});
