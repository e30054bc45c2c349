import { findingsOf } from './check';

describe('findingsOf', () => {
  const of = (script: string): string[] => findingsOf(process.execPath, ['-e', script], __dirname);

  it('is empty for a program that ends with 0', () => {
    expect(of("console.log('ok')")).toEqual([]);
  });

  it('is what a program with findings prints, on either output', () => {
    expect(of("console.log('a'); console.error('b'); process.exit(1)")).toEqual(['a', 'b']);
  });

  it('is never empty for a program that fails or cannot run', () => {
    expect(of('process.exit(3)')).toEqual([`${process.execPath} ended with 3`]);
    expect(findingsOf('/no/such/program', [], __dirname)).toEqual([
      '/no/such/program cannot run: spawnSync /no/such/program ENOENT',
    ]);
  });
});
