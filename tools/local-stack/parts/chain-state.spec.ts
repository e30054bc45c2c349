import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { removeOldBlocks, withoutOldBlocks } from './chain-state';

const state = {
  best_block_number: '0x9',
  accounts: { a: 1 },
  blocks: Array.from({ length: 10 }, (_, number) => ({ header: { number: `0x${number.toString(16)}` } })),
  transactions: [2, 7, 9].map((number) => ({ block_number: number })),
};

describe('the state of a local chain', () => {
  it('keeps the first block, the newest ones and their transactions', () => {
    const { blocks, transactions, ...others } = withoutOldBlocks(state, 3);
    expect(blocks.map(({ header }) => Number(header.number))).toEqual([0, 7, 8, 9]);
    expect(transactions.map((transaction) => transaction.block_number)).toEqual([7, 9]);
    expect(others).toEqual({ best_block_number: '0x9', accounts: { a: 1 } });
  });

  it('rewrites a file with old blocks, and leaves every other one', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'chain-state-'));
    const file = path.join(folder, 'state.json');
    try {
      expect(() => removeOldBlocks(file, 3)).not.toThrow();
      writeFileSync(file, JSON.stringify(state));
      removeOldBlocks(file, 3);
      expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(withoutOldBlocks(state, 3));
      writeFileSync(file, '{"blocks": [');
      removeOldBlocks(file, 3);
      expect(readFileSync(file, 'utf8')).toBe('{"blocks": [');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
