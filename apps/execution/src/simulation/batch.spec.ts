import { compileBatch } from '../../test/compile-batch';
import compiled from './batch.json';

describe('batch.json', () => {
  // When this fails, run: node tools/compile-batch.cjs
  it('is of Batch.sol as it is', () => {
    expect(compiled.runtime).toBe(compileBatch());
  });
});
