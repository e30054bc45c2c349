import { parseArgs } from 'node:util';
import { withCpu } from '../gateway';
import { type GatewayStack, progress, startGatewayStack } from '../gateway/gateway-stack';
import { type Load, LoadClient } from '../gateway/load';
import type { RunningApp } from '../gateway/start-node';
import { percentile } from '../flow/percentile';

export const description =
  'cost of the request log: CPU of a request without it, with 200 rows a second, and with a row for every request [--rounds N]';

const SECONDS = 2.5;
const WARM_UP_ROUNDS = 4;
const CONNECTIONS = 64;
const PER_MINUTE = 10_000_000;
/** More than the log may take is paid by each request. */
const MOST_COST = 0.02;
/** Rows per second of one account. The last has a row for every request. */
const VARIANTS = { off: '0', default: '200', every: '100000' } as const;
type Variant = keyof typeof VARIANTS;
const NAMES = Object.keys(VARIANTS) as Variant[];

export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({ args, options: { rounds: { type: 'string', default: '15' } } });
  const stack = await startGatewayStack(NAMES.length);
  const client = LoadClient.start();
  try {
    const gateways = await startVariants(stack);
    const { key } = await stack.createAccount('enterprise', PER_MINUTE);
    const load = (gateway: RunningApp, more: Partial<Load> = {}) =>
      client.run({
        ports: [gateway.port],
        path: '/v1/positions?wallet=0x7f2c9d1e4b8a6035f1d2c3b4a5968778695a4b3c',
        headers: [
          ['x-api-key', key],
          ['accept', 'application/json'],
          ['user-agent', 'bench'],
        ],
        connections: CONNECTIONS,
        seconds: SECONDS,
        ...more,
      });
    progress('warming up');
    for (let at = 0; at < WARM_UP_ROUNDS; at += 1) for (const name of NAMES) await load(gateways[name]);
    const rounds: Record<Variant, number>[] = [];
    for (let at = 0; at < Number(values.rounds); at += 1) {
      const cpuUs = { off: 0, default: 0, every: 0 };
      // The order alternates, so that a change of the machine's speed affects none more than another.
      for (const name of at % 2 === 0 ? NAMES : [...NAMES].reverse())
        cpuUs[name] = (await withCpu([gateways[name]], () => load(gateways[name]))).cpuUs;
      progress(`round ${at + 1}: ${JSON.stringify(cpuUs)}`);
      rounds.push(cpuUs);
    }
    return summarise(rounds);
  } finally {
    client.stop();
    await stack.stop();
  }
}

async function startVariants(stack: GatewayStack): Promise<Record<Variant, RunningApp>> {
  const started: Partial<Record<Variant, RunningApp>> = {};
  for (const name of NAMES)
    started[name] = await stack.startGateway({ REQUEST_LOG_ROWS_PER_SECOND: VARIANTS[name] });
  return started as Record<Variant, RunningApp>;
}

function summarise(rounds: readonly Record<Variant, number>[]): object {
  const median = (of: (round: Record<Variant, number>) => number): number => percentile(rounds.map(of), 0.5);
  const cpuUs = Object.fromEntries(
    NAMES.map((name) => [name, Number(median((round) => round[name]).toFixed(2))]),
  );
  // Both had the same machine in each round, so the cost is computed there, and then its median.
  const cost = (name: Variant): number => Number((median((round) => round[name] / round.off) - 1).toFixed(4));
  const costs = { default: cost('default'), every: cost('every') };
  return {
    bench: 'request-log',
    rounds: rounds.length,
    cpuUs,
    costs,
    aims: { default: MOST_COST },
    passed: costs.default <= MOST_COST,
  };
}
