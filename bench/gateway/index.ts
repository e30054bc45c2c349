import { parseArgs } from 'node:util';
import { descendantsOf, listProcesses } from '@plimsoll/local-parts';
import { percentile } from '../flow/percentile';
import { cpuMs } from '../flow/process-usage';
import { type Contender, CONTENDERS, startContenders } from './contenders';
import { type GatewayStack, progress, startGatewayStack } from './gateway-stack';
import type { DemoAccount } from './demo-account';
import { type Load, LoadClient, type LoadResult } from './load';
import { HOW_TO_INSTALL } from './nginx';
import { type Round, summarise } from './summarise';

export const description =
  'cost of the gateway beside nginx with Lua, nginx, Fastify and Nest [--rounds N] [--only NAME,NAME]';

/** The length of one saturated measurement. The one at the fixed rate is a second shorter. */
const SECONDS = 2.5;
/**
 * Warm-up rounds of each contender: a gateway runs for days, so the compilation of V8 is not part of a
 * request's cost.
 */
const WARM_UP_ROUNDS = 4;
const CONNECTIONS = 64;
const FIXED_PER_SECOND = 500;
const PER_MINUTE = 10_000_000;

export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '7' },
      only: { type: 'string', default: CONTENDERS.join(',') },
    },
  });
  const only = values.only.split(',');
  const stack = await startGatewayStack(1);
  const client = LoadClient.start();
  let contenders: Contender[] = [];
  try {
    const account = await stack.createAccount('enterprise', PER_MINUTE);
    progress('starting the contenders');
    contenders = await startContenders(stack, account);
    const missing = CONTENDERS.filter((name) => !contenders.some((each) => each.name === name));
    if (missing.length > 0) progress(HOW_TO_INSTALL);
    const compared = contenders.filter(({ name }) => only.includes(name));
    const rounds = await measure(stack, compared, account, client, Number(values.rounds));
    return { ...summarise(rounds), missing, ...(missing.length > 0 && { hint: HOW_TO_INSTALL }) };
  } finally {
    client.stop();
    await Promise.all(contenders.flatMap(({ parts }) => parts.map((part) => part.kill9())));
    await stack.stop();
  }
}

/**
 * Runs every contender in every round, one after the other, so that the machine's other work affects all
 * equally.
 */
async function measure(
  stack: GatewayStack,
  contenders: readonly Contender[],
  account: DemoAccount,
  client: LoadClient,
  count: number,
): Promise<Round[]> {
  const load = (ports: number[], more: Partial<Load>): Promise<LoadResult> =>
    client.run({
      ports,
      path: '/v1/positions?wallet=0x7f2c9d1e4b8a6035f1d2c3b4a5968778695a4b3c',
      headers: [
        ['x-api-key', account.key],
        ['accept', 'application/json'],
        ['user-agent', 'bench'],
      ],
      connections: CONNECTIONS,
      seconds: SECONDS,
      ...more,
    });
  progress('warming up');
  for (let at = 0; at < WARM_UP_ROUNDS; at += 1) {
    for (const { parts } of contenders) await load(portsOf(parts), {});
  }
  const rounds: Round[] = [];
  for (let at = 1; at <= count; at += 1) {
    const fixed: Partial<Load> = { perSecond: FIXED_PER_SECOND, seconds: SECONDS - 1 };
    const direct = await load([stack.upstream.port], fixed);
    const round: Round = { directP50Ms: percentile(direct.latenciesMs, 0.5), contenders: {} };
    for (const { name, parts } of contenders) {
      const ports = portsOf(parts);
      const saturated = await withCpu(parts, () => load(ports, {}));
      const steady = await withCpu(parts, () => load(ports, fixed));
      round.contenders[name] = {
        requestsPerSecond: (saturated.result.answers * 1_000) / saturated.result.elapsedMs,
        cpuUs: saturated.cpuUs,
        cpuUsAtFixedRate: steady.cpuUs,
        p50Ms: percentile(steady.result.latenciesMs, 0.5),
        p99Ms: percentile(steady.result.latenciesMs, 0.99),
      };
      progress(`round ${at} ${name}: ${JSON.stringify(round.contenders[name])}`);
    }
    rounds.push(round);
  }
  return rounds;
}

const portsOf = (parts: Contender['parts']): number[] => parts.map(({ port }) => port);

/** CPU of the processes and their children for each response. @throws when a response was not 200 */
export async function withCpu(
  parts: Contender['parts'],
  work: () => Promise<LoadResult>,
): Promise<{ result: LoadResult; cpuUs: number }> {
  const processes = await listProcesses();
  const pids = parts.flatMap(({ pid }) => [pid, ...descendantsOf(pid, processes)]);
  const total = (): number => pids.reduce((sum, pid) => sum + cpuMs(pid), 0);
  const before = total();
  const result = await work();
  const { 200: good = 0, ...others } = result.statuses;
  if (Object.keys(others).length > 0) {
    throw new Error(
      `${parts[0]?.name} gave other responses than 200: ${JSON.stringify({ 200: good, ...others })}`,
    );
  }
  return { result, cpuUs: ((total() - before) * 1_000) / result.answers };
}
