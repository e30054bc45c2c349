import fc from 'fast-check';
import { base62, isId, newId, positionId } from './ids';

describe('ids', () => {
  it('keep the order of their bytes', () => {
    const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        const [x, y] = [base62(a), base62(b)];
        expect(x).toHaveLength(22);
        expect(Math.sign(Buffer.compare(a, b))).toBe(x < y ? -1 : x > y ? 1 : 0);
      }),
    );
  });

  it('are recognised by prefix and form', () => {
    expect(isId('wh', newId('wh'))).toBe(true);
    expect(isId('wh', newId('del'))).toBe(false);
    expect(isId('wh', 'wh_../../etc/passwd000000')).toBe(false);
  });

  it('of a position do not depend on the case of its parts', () => {
    const key = { protocol: 'aave-v3', chainId: 1, market: 'AaveV3Local', subId: '', wallet: '0xABCDEF' };
    expect(positionId(key)).toBe(positionId({ ...key, wallet: '0xabcdef', market: 'aavev3local' }));
    expect(positionId(key)).not.toBe(positionId({ ...key, chainId: 10 }));
  });
});
