import type { Check, StartedPart, Suite } from './check';
import { UsageError, parseArguments } from './arguments';
import { runSuite } from './run-suite';
import { formatTable, summarize } from './table';

function suiteOf(checks: Check[]): { suite: Suite; stopped: string[] } {
  const stopped: string[] = [];
  const start = async (address: string): Promise<StartedPart> => ({
    address,
    crash: async () => undefined,
    stop: async () => void stopped.push(address),
  });
  const suite: Suite = {
    part: 'thing',
    checks,
    startEmbedded: () => start('embedded'),
    startGenuine: () => start('genuine'),
  };
  return { suite, stopped };
}

const options = { folder: 'unused', withGenuine: true, onProgress: () => undefined };

describe('runSuite', () => {
  it('reports equal observations as same, others as different, and any failure as a failure', async () => {
    const { suite, stopped } = suiteOf([
      { name: 'equal', run: async () => ({ value: 1 }) },
      { name: 'unequal', run: async ({ address }) => address },
      {
        name: 'fails on one',
        run: async ({ address }) => {
          if (address === 'genuine') throw new Error('no');
        },
      },
      { name: 'fails on both', run: () => Promise.reject(new Error('no')) },
    ]);
    const rows = await runSuite(suite, options);
    expect(rows.map(({ verdict }) => verdict)).toEqual(['same', 'different', 'failed', 'failed']);
    expect(stopped).toEqual(['embedded', 'genuine']);
    expect(summarize(rows)).toBe('thing: 4 checks, 1 same, 1 different, 2 failed');
    expect(formatTable(rows, false)).toContain('| thing | unequal | different | "embedded" | "genuine" |');
    expect(formatTable(rows, false)).not.toContain('| equal |');
  });

  it('reports that nothing was compared when only the embedded part ran', async () => {
    const { suite } = suiteOf([{ name: 'one', run: async () => 1 }]);
    const rows = await runSuite(suite, { ...options, withGenuine: false });
    expect(summarize(rows)).toBe('thing: 1 checks, 1 passed, 0 failed; genuine: NOT RUN');
  });

  it('cleans up after a failed check, in reverse order', async () => {
    const order: number[] = [];
    const { suite } = suiteOf([
      {
        name: 'fails',
        run: async ({ defer }) => {
          defer(() => order.push(1));
          defer(() => order.push(2));
          throw new Error('no');
        },
      },
    ]);
    await runSuite(suite, { ...options, withGenuine: false });
    expect(order).toEqual([2, 1]);
  });
});

describe('parseArguments', () => {
  it('reads the options', () => {
    expect(parseArguments(['--part', 'kafka', '--json'], ['kafka'])).toEqual({
      part: 'kafka',
      only: undefined,
      embedded: false,
      all: false,
      json: true,
    });
    expect(parseArguments(['--help'], ['kafka'])).toBeNull();
  });

  it('rejects unknown parts and options', () => {
    expect(() => parseArguments(['--part', 'tea'], ['kafka'])).toThrow(UsageError);
    expect(() => parseArguments(['--fast'], ['kafka'])).toThrow(UsageError);
  });
});
