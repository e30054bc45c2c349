import fc from 'fast-check';
import { base62, firstIdAt, isId, newId, positionId } from './ids';

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
