import { compileBatch } from '../../test/compile-batch';
import compiled from './batch.json';

describe('batch.json', () => {
  // When this fails, run: node tools/compile-batch.cjs
  it('matches the current Batch.sol', () => {
    expect(compiled.runtime).toBe(compileBatch());
  });
});
