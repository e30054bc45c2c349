import path from 'node:path';

interface TestFile {
  path: string;
  context: object;
}
const SlowFirst =
  jest.requireActual<new (options: object) => { sort(tests: TestFile[]): TestFile[] }>(
    '../jest-sequencer.cjs',
  );

const root = path.join(__dirname, '../..');
const UNIT = 'tools/toolchain/jest-sequencer.spec.ts';
const QUICK = ['apps/gateway/test/access.e2e-spec.ts', 'apps/gateway/test/identity/keys.e2e-spec.ts'];
const SLOW = ['apps/webhook-delivery/test/crash.e2e-spec.ts', 'apps/execution/test/kill.e2e-spec.ts'];
const FLOWS = ['test/flows/main-job.e2e-spec.ts', 'test/flows/whales.e2e-spec.ts'];

/** Files that Jest itself would run in this order, because it starts the larger first. */
function order(files: readonly string[]): string[] {
  const paths = files.map((file) => path.join(root, file));
  const context = {
    config: { id: 'none', cacheDirectory: '/nowhere' },
    hasteFS: { getSize: (file: string) => 1_000 - paths.indexOf(file) },
  };
  const tests = paths.map((file) => ({ path: file, context }));
  const sorted = new SlowFirst({ contexts: [], globalConfig: {} }).sort(tests);
  return sorted.map((test) => path.relative(root, test.path));
}

describe('the order of test files', () => {
  it('is slow suites, the others, unit tests, with the flows spread over the suites', () => {
    expect(order([UNIT, ...QUICK, ...SLOW, ...FLOWS])).toEqual([FLOWS[0], ...SLOW, FLOWS[1], ...QUICK, UNIT]);
  });

  it.each([
    ['flows alone', FLOWS],
    ['more flows than others', [...FLOWS, QUICK[0] ?? '']],
    ['unit tests alone', [UNIT]],
    ['nothing', []],
  ])('leaves out no file: %s', (_, files) => {
    expect(order(files).sort()).toEqual([...files].sort());
  });
});
