import type { MarketRow } from '@plimsoll/evm';
import { PreparedSubIds } from './prepared-sub-ids';

const row = { protocol: 'morpho-blue', market: 'Morpho', chainId: 1 } as MarketRow;
const [A, B] = ['0xa', '0xb'] as const;

describe('PreparedSubIds', () => {
  it('finds stored results for a row and block, also of wallets without entries', () => {
    const prepared = new PreparedSubIds();
    prepared.put(row, '0x1', [A, B], new Map([[A, ['7']]]));
    expect(prepared.find(row, '0x1', [B, A])).toEqual(
      new Map([
        [A, ['7']],
        [B, []],
      ]),
    );
  });

  it('null for another block or row, and for a wallet that was not requested', () => {
    const prepared = new PreparedSubIds();
    prepared.put(row, '0x1', [A], new Map());
    expect(prepared.find(row, '0x2', [A])).toBeNull();
    expect(prepared.find({ ...row, market: 'Other' }, '0x1', [A])).toBeNull();
    expect(prepared.find(row, '0x1', [A, B])).toBeNull();
  });

  it('forgets the oldest blocks', () => {
    const prepared = new PreparedSubIds();
    for (let block = 0; block <= 64; block += 1) prepared.put(row, `0x${block}`, [A], new Map());
    expect(prepared.find(row, '0x0', [A])).toBeNull();
    expect(prepared.find(row, '0x64', [A])).not.toBeNull();
  });
});
