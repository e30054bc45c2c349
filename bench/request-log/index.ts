import { parseArgs } from 'node:util';
import { withCpu } from '../gateway';
import { type GatewayStack, progress, startGatewayStack } from '../gateway/gateway-stack';
import { LoadClient } from '../gateway/load';
import type { RunningApp } from '../gateway/start-node';
import { percentile } from '../flow/percentile';

export const description =
  'cost of the request log: CPU of a request without it, with 200 rows a second, and with a row for every request [--sets N] [--rounds N]';

const SECONDS = 1;
const WARM_UP_SECONDS = 8;
const CONNECTIONS = 64;
const PER_MINUTE = 10_000_000;
/** More than the log may take is paid by each request. */
const MOST_COST = 0.02;
/** Rows per second of one account. The control is a second process without the log, so its cost is the error of the bench. */
const VARIANTS = { off: '0', control: '0', default: '200', every: '100000' } as const;
type Variant = keyof typeof VARIANTS;
const NAMES = Object.keys(VARIANTS) as Variant[];
type Gateways = Record<Variant, RunningApp>;

/**
 * Processes of the same program differ by some percent, because each compiles it differently. Every set therefore has new
 * processes, and the cost is the median over the sets.
 */
export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: { sets: { type: 'string', default: '5' }, rounds: { type: 'string', default: '12' } },
  });
  const stack = await startGatewayStack(NAMES.length);
  const client = LoadClient.start();
  try {
    const { key } = await stack.createAccount('enterprise', PER_MINUTE);
    const sets: Record<Variant, number>[] = [];
    for (let set = 1; set <= Number(values.sets); set += 1) {
      const gateways = await startVariants(stack, set);
      const load = (gateway: RunningApp, seconds = SECONDS) =>
        client.run({
          ports: [gateway.port],
          path: '/v1/positions?wallet=0x7f2c9d1e4b8a6035f1d2c3b4a5968778695a4b3c',
          headers: [
            ['x-api-key', key],
            ['accept', 'application/json'],
            ['user-agent', 'bench'],
          ],
          connections: CONNECTIONS,
          seconds,
        });
      for (const name of NAMES) await load(gateways[name], WARM_UP_SECONDS);
      sets.push(await measure(gateways, Number(values.rounds), load));
      await Promise.all(NAMES.map((name) => gateways[name].stop()));
      progress(`set ${set}: ${JSON.stringify(sets.at(-1))}`);
    }
    return summarise(sets, Number(values.rounds));
  } finally {
    client.stop();
    await stack.stop();
  }
}

/** Starts one process of each variant, in another order for each set. */
async function startVariants(stack: GatewayStack, set: number): Promise<Gateways> {
  const started: Partial<Gateways> = {};
  for (const name of rotated(set))
    started[name] = await stack.startGateway({ REQUEST_LOG_ROWS_PER_SECOND: VARIANTS[name] });
  return started as Gateways;
}

const rotated = (by: number): Variant[] => NAMES.map((_, index) => NAMES[(index + by) % NAMES.length]!);

/** Median of the microseconds of CPU of a request. All variants have the same machine in each round. */
async function measure(
  gateways: Gateways,
  rounds: number,
  load: (gateway: RunningApp) => ReturnType<LoadClient['run']>,
): Promise<Record<Variant, number>> {
  const measured: Record<Variant, number[]> = { off: [], control: [], default: [], every: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const name of rotated(round))
      measured[name].push((await withCpu([gateways[name]], () => load(gateways[name]))).cpuUs);
  return Object.fromEntries(NAMES.map((name) => [name, percentile(measured[name], 0.5)])) as Record<
    Variant,
    number
  >;
}

function summarise(sets: readonly Record<Variant, number>[], rounds: number): object {
  const round = (value: number): number => Number(value.toFixed(4));
  const median = (of: (set: Record<Variant, number>) => number): number => percentile(sets.map(of), 0.5);
  const cpuUs = Object.fromEntries(NAMES.map((name) => [name, round(median((set) => set[name]))]));
  // Two processes without the log give the CPU of a request without it.
  const cost = (name: Variant): number =>
    round(median((set) => set[name] / ((set.off + set.control) / 2)) - 1);
  const costs = { default: cost('default'), every: cost('every') };
  const error = round(
    percentile(
      sets.map((set) => Math.abs(set.control / set.off - 1)),
      0.5,
    ),
  );
  return {
    bench: 'request-log',
    sets: sets.length,
    rounds,
    cpuUs,
    costs,
    error,
    aims: { default: MOST_COST },
    passed: costs.default <= MOST_COST,
  };
}
