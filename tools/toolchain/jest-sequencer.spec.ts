import path from 'node:path';

interface TestFile {
  path: string;
  duration?: number;
  context: object;
}
const SlowFirst =
  jest.requireActual<new (options: object) => { sort(tests: TestFile[]): TestFile[] }>(
    '../jest-sequencer.cjs',
  );

const root = path.join(__dirname, '../..');
const UNIT = 'tools/toolchain/jest-sequencer.spec.ts';
const PARTS = 'apps/gateway/test/access.e2e-spec.ts';
const GENUINE = 'test/flows/main-job.e2e-spec.ts';

it('the flows, crashes and the bus go first, unit tests last, whatever their sizes and durations', () => {
  const context = { config: { id: 'none', cacheDirectory: '/nowhere' }, hasteFS: { getSize: () => 1 } };
  const tests = [UNIT, PARTS, GENUINE].map((file, at) => ({
    path: path.join(root, file),
    duration: 10_000 - at,
    context,
  }));
  const sequencer = new SlowFirst({ contexts: [], globalConfig: {} });
  const order = sequencer.sort(tests).map((test) => path.relative(root, test.path));
  expect(order).toEqual([GENUINE, PARTS, UNIT]);
});
