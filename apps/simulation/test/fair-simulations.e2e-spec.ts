import { readFileSync, readdirSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { type MonteCarloAnswer, newId } from '@plimsoll/contracts';
import { waitFor } from '@plimsoll/testing';
import { simulationsWaiting } from '../src/metrics';
import { samplePosition } from './samples';
import { SimulationHarness } from './simulation-harness';

const LARGE = { iterations: 100_000, horizonDays: 365 };
const SMALL = { iterations: 500, horizonDays: 30 };
const LARGE_RUNS = 8;
/** Large runs have a low priority, so other suites delay them. */
const RUN_MS = 120_000;

jest.setTimeout(2 * RUN_MS);

describe('simulations of several accounts', () => {
  let harness: SimulationHarness;
  let positionId: string;
  /** The labels of runs in the order of their end. */
  let ended: string[];
  let left: AbortController;

  beforeAll(async () => {
    harness = await SimulationHarness.start(['ETH', 'BTC', 'USDC'], {
      SIMULATION_WORKERS: 1,
      SIMULATION_DEADLINE_MS: RUN_MS,
    });
    positionId = harness.storePosition(samplePosition('two', { WETH: 10, WBTC: 0.2 }, { USDC: 30_000 })).id;
  }, 60_000);
  beforeEach(() => {
    ended = [];
    left = new AbortController();
  });
  afterEach(async () => {
    left.abort();
    await waitFor(async () => (await waiting()) === 0, { message: 'the clients have disconnected' });
  });
  afterAll(() => harness?.close());

  const run = async (label: string, accountId: string, size: object): Promise<number> => {
    const response = await harness.request<MonteCarloAnswer>('POST', '/v1/simulate/monte-carlo', {
      body: { positionId, ...size },
      accountId,
      signal: left.signal,
      deadlineMs: RUN_MS,
    });
    ended.push(label);
    return response.status;
  };
  const waiting = async (): Promise<number> => (await simulationsWaiting.get()).values[0]?.value ?? 0;
  /** Resolves when one runs and the others wait. */
  const startLarge = async (accountId: string, count: number): Promise<{ runs: Promise<unknown> }> => {
    const runs = Promise.allSettled(Array.from({ length: count }, () => run('large', accountId, LARGE)));
    await waitFor(async () => (await waiting()) === count - 1, { message: 'the others wait' });
    return { runs };
  };

  it('a small run waits for none of eight large ones, of another account or its own', async () => {
    const heavy = newId('acc');
    const { runs } = await startLarge(heavy, LARGE_RUNS);
    for (const accountId of [newId('acc'), heavy]) {
      const before = ended.length;
      expect(await run('small', accountId, SMALL)).toBe(200);
      expect(ended.slice(before)).toEqual(['small']);
    }
    left.abort();
    await runs;
  });

  it('only the thread for large runs has a lower priority, where a thread can have one', async () => {
    const { PRIORITY_BELOW_NORMAL } = constants.priority;
    const own = getPriority();
    const { runs } = await startLarge(newId('acc'), LARGE_RUNS);
    expect(await run('small', newId('acc'), SMALL)).toBe(200);
    expect(getPriority()).toBe(own);
    if (process.platform === 'linux')
      expect(nicenessOfThreads().filter((each) => each === PRIORITY_BELOW_NORMAL)).toHaveLength(1);
    left.abort();
    await runs;
  });

  it('a large run waits for one large run of another account, not for all', async () => {
    const { runs } = await startLarge(newId('acc'), 4);
    expect(await run('light', newId('acc'), { ...LARGE, iterations: 50_000 })).toBe(200);
    expect(ended).toEqual(['large', 'light']);
    left.abort();
    await runs;
  });
});

/** Niceness of each thread of this process. */
function nicenessOfThreads(): number[] {
  const threads = readdirSync('/proc/self/task');
  // The 17th field after the name, which is in brackets and may have blanks.
  return threads.map((id) =>
    Number(/\) (?:\S+ ){16}(-?\d+) /.exec(readFileSync(`/proc/self/task/${id}/stat`, 'utf8'))?.[1]),
  );
}
