import path from 'node:path';
import { compileSolidity } from '@plimsoll/devnet';
import type { Hex } from 'viem';

/**
 * Returns the runtime code of Batch.sol. It has no constructor, so this is the part after the header of its
 * creation code.
 */
export function compileBatch(): Hex {
  const { Batch } = compileSolidity({
    compiler: 'solc',
    folders: [path.join(__dirname, '../src/simulation')],
    entries: ['Batch.sol'],
    settings: { optimizer: { enabled: true, runs: 200 }, evmVersion: 'london' },
  });
  if (!Batch) throw new Error('Batch.sol has no contract Batch');
  // The header ends with RETURN, and INVALID separates it from the runtime code.
  const [, runtime] = Batch.bytecode.split(/f3fe(.*)/s);
  if (!runtime) throw new Error('the creation code of Batch.sol has another header than expected');
  return `0x${runtime}`;
}
