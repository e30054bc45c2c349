import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { INBOX_MIGRATION, OUTBOX_MIGRATION } from '@plimsoll/event-bus';
import { IDEMPOTENCY_MIGRATION, createPool, migrate } from '@plimsoll/service-kit';
import { type QueryPlan, planNodes, rowsRead, startOwnPostgres } from '@plimsoll/testing';
import { Client, type Pool } from 'pg';
import { type PlanCase, combinations } from './combinations';
import { PlanRecorder, REPORT_PLANS, type RecordedPlan } from './plan-recorder';
import type { ListScene, MoreThanPage, ServiceScene } from './scene';
import { alertsScene } from './scenes/alerts';
import { executionScene } from './scenes/execution';
import { gatewayScene } from './scenes/gateway';
import { marketDataScene } from './scenes/market-data';
import { positionsScene } from './scenes/positions';
import { simulationScene } from './scenes/simulation';
import { webhookDeliveryScene } from './scenes/webhook-delivery';
import { whalesScene } from './scenes/whales';
import { unmeasured } from './unmeasured';

export const description =
  'plans of every filter of the lists on a million rows of each table, with the queries of the services [--rows N] [--only SERVICE]';

const SCENES: readonly ServiceScene[] = [
  alertsScene,
  webhookDeliveryScene,
  gatewayScene,
  whalesScene,
  executionScene,
  positionsScene,
  simulationScene,
  marketDataScene,
];
/** Rows that a page may read. A list without an index would read the half million of the account. */
const MOST_READ = 2_500;
/** Blocks of 8 kB that a page may read. They count the entries of an index that its condition does not bound. */
const MOST_BLOCKS = 15_000;
/** A disjoint pair reads half of the account. It must end long before the deadline of a statement, which is 15 s. */
const MOST_DISJOINT_MS = 5_000;
/** A table with fewer rows is read as a whole. */
const LARGE = 5_000;
/** A statement gets a name at its fourth run, and may keep a general plan after five more. */
const RUNS = 12;

/** Code of Postgres for a statement that exceeded its deadline. It has no plan, because it did not end. */
const QUERY_CANCELLED = '57014';
const CANCELLED = 'exceeds the deadline of a statement';

/** Characters of the result of a service. */
const MOST_OUTPUT = 10_000_000;
const SERVICE_DEADLINE_MS = 3_600_000;

const APPS = path.join(__dirname, '../../apps');
const say = (line: string): void => console.error(line);
const onError = ({ message }: Error): void => say(message);

interface Measured {
  list: string;
  more: MoreThanPage | undefined;
  filter: PlanCase['filter'];
  rows: number;
  blocks: number;
  ms: number;
  faults: string[];
}

/** The result of a service. */
interface Result {
  lists: Record<string, unknown>;
  faults: unknown[];
}

/** Runs the bench. `--only` measures the lists of one service. */
export async function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const { values } = parseArgs({
    args: [...args],
    options: { rows: { type: 'string', default: '1000000' }, only: { type: 'string' } },
  });
  const { only, rows } = values;
  const results = only === undefined ? inProcesses(rows) : [await measureOnly(only, Number(rows))];
  const faults = results.flatMap((result) => result.faults);
  return {
    bench: 'plans',
    rows: Number(rows),
    lists: Object.fromEntries(results.flatMap(({ lists }) => Object.entries(lists))),
    faults,
    aims: { rows: MOST_READ, blocks: MOST_BLOCKS, disjointMs: MOST_DISJOINT_MS },
    passed: faults.length === 0,
  };
}

/** A process of its own for each service, as in production: a process names a limited number of statements. */
function inProcesses(rows: string): Result[] {
  const results: Result[] = [];
  for (const { app } of SCENES) {
    const command = [path.join(__dirname, '../run.cjs'), 'plans', '--only', app, '--rows', rows];
    const { stdout } = spawnSync(process.execPath, command, {
      encoding: 'utf8',
      maxBuffer: MOST_OUTPUT,
      timeout: SERVICE_DEADLINE_MS,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (!stdout.startsWith('{')) throw new Error(`the lists of ${app} were not measured`);
    results.push(JSON.parse(stdout) as Result);
  }
  return results;
}

async function measureOnly(app: string, rows: number): Promise<Result> {
  const scene = SCENES.find((each) => each.app === app);
  if (!scene) throw new Error(`--only is one of ${SCENES.map((each) => each.app).join(', ')}`);
  const postgres = await startOwnPostgres('plans');
  try {
    const lists = await Promise.all(SCENES.map((each) => listsOf(postgres.url, each)));
    const missing = unmeasured(lists.flat());
    if (missing.length > 0) throw new Error(`no scene has these filters: ${missing.join(', ')}`);
    return summarise(await measureService(postgres.url, scene, rows));
  } finally {
    await postgres.dispose();
  }
}

async function measureService(url: string, scene: ServiceScene, rows: number): Promise<Measured[]> {
  await fill(url, scene, rows);
  const admin = new Client(url);
  await admin.connect();
  try {
    const large = await largeTables(admin, scene.schema);
    for (const [name, value] of Object.entries(REPORT_PLANS))
      await admin.query(`ALTER DATABASE plans SET ${name} = '${value}'`);
    const measured: Measured[] = [];
    for (const list of await listsOf(url, scene)) {
      measured.push(...(await measureList(url, scene, list.name, large)));
      say(`${list.name}: ${JSON.stringify(worstOf(measured.filter((each) => each.list === list.name)))}`);
    }
    return measured;
  } finally {
    for (const name of Object.keys(REPORT_PLANS)) await admin.query(`ALTER DATABASE plans RESET ${name}`);
    await admin.end();
  }
}

async function fill(
  url: string,
  { app, schema, prepare, fill: statements }: ServiceScene,
  rows: number,
): Promise<void> {
  const folder = path.join(APPS, app, 'prisma/migrations');
  say(`${app}: ${readdirSync(folder).length} migrations, ${rows} rows`);
  await migrate(url, schema, folder, [OUTBOX_MIGRATION, INBOX_MIGRATION, IDEMPOTENCY_MIGRATION]);
  if (prepare) {
    const pool = createPool(url, schema, onError);
    await prepare(pool);
    await pool.end();
  }
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(`SET search_path TO ${schema}; SET synchronous_commit TO off`);
    for (const statement of statements(rows)) await client.query(statement);
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
}

/** The tables that a statement must not read as a whole. */
async function largeTables(client: Client, schema: string): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind = 'r' AND reltuples >= $2`,
    [schema, LARGE],
  );
  return new Set(rows.map(({ name }) => name));
}

async function listsOf(url: string, scene: ServiceScene): Promise<ListScene[]> {
  const pool = createPool(url, scene.schema, onError);
  const lists = scene.lists(pool);
  await pool.end();
  return lists;
}

/**
 * Each case repeats on one connection, first alone, then in turn with the others: Postgres decides about the plan that it
 * keeps for a statement by the first values.
 */
async function measureList(
  url: string,
  scene: ServiceScene,
  name: string,
  large: ReadonlySet<string>,
): Promise<Measured[]> {
  const recorder = new PlanRecorder();
  const open = (): { pool: Pool; list: ListScene } => {
    const pool = createPool(url, scene.schema, onError);
    recorder.watch(pool);
    return { pool, list: scene.lists(pool).find((each) => each.name === name)! };
  };
  const shared = open();
  const cases = combinations(shared.list).map((each) => ({
    ...each,
    plans: [] as RecordedPlan[],
    isCancelled: false,
  }));
  const read = async (list: ListScene, each: (typeof cases)[number]): Promise<void> => {
    if (each.isCancelled) return;
    try {
      each.plans.push(...(await recorder.during(() => list.read(each.filter))));
    } catch (error) {
      if ((error as { code?: string }).code !== QUERY_CANCELLED) throw error;
      each.isCancelled = true;
    }
  };
  for (const each of cases) {
    const { pool, list } = open();
    for (let at = 0; at < RUNS; at += 1) await read(list, each);
    await pool.end();
  }
  if (cases.length > 1)
    for (let at = 0; at < RUNS; at += 1) for (const each of cases) await read(shared.list, each);
  await shared.pool.end();
  // Filters that exclude each other need no statement.
  if (cases.filter(({ plans, isCancelled }) => plans.length === 0 && !isCancelled).length > cases.length / 4)
    throw new Error(`${name} reported too few plans`);
  const { more } = shared.list;
  return cases.map(({ plans, isCancelled, ...each }) => {
    const measured = measure({ list: name, more, ...each }, plans, large);
    return isCancelled ? { ...measured, faults: [CANCELLED, ...measured.faults] } : measured;
  });
}

function measure(
  { isDisjoint, ...of }: Pick<Measured, 'list' | 'more'> & PlanCase,
  plans: readonly RecordedPlan[],
  large: ReadonlySet<string>,
): Measured {
  const { more } = of;
  const nodes = plans.flatMap(({ root }) => planNodes(root));
  const whole = nodes.flatMap((node) =>
    node['Node Type'].includes('Seq Scan') && large.has(node['Relation Name'] ?? '') && rowsRead(node) > 0
      ? [node['Relation Name']!]
      : [],
  );
  const [widest] = nodes.toSorted((one, other) => rowsRead(other) - rowsRead(one));
  const rows = widest ? rowsRead(widest) : 0;
  const blocks = Math.max(
    0,
    ...plans.map(({ root }) => root['Shared Hit Blocks'] + root['Shared Read Blocks']),
  );
  const ms = Math.max(0, ...plans.map((plan) => plan.ms));
  const faults = [...new Set(whole)]
    .filter((table) => !more?.tables?.includes(table))
    .map((table) => `reads ${table} as a whole`);
  const mostMs = isDisjoint ? MOST_DISJOINT_MS : more?.ms;
  if (mostMs !== undefined && ms > mostMs) faults.push(`takes ${ms} ms`);
  if (!isDisjoint && rows > (more?.rows ?? MOST_READ))
    faults.push(`reads ${rows} rows by ${scanOf(widest!)}`);
  if (!isDisjoint && !more && blocks > MOST_BLOCKS) faults.push(`reads ${blocks} blocks`);
  return { ...of, rows, blocks, ms: Math.round(ms * 10) / 10, faults };
}

const scanOf = ({ 'Node Type': type, ...node }: QueryPlan & { 'Index Name'?: string }): string =>
  [type, node['Relation Name'], node['Index Name']].filter((part) => part !== undefined).join(' ');

/** The worst of each figure over the cases of a list, with the reason of a list that reads more than a page. */
const worstOf = (measured: readonly Measured[]): Record<string, unknown> => ({
  ...(measured[0]?.more && { more: measured[0].more.because }),
  cases: measured.length,
  rows: Math.max(...measured.map(({ rows }) => rows)),
  blocks: Math.max(...measured.map(({ blocks }) => blocks)),
  ms: Math.max(...measured.map(({ ms }) => ms)),
  faults: measured.filter(({ faults }) => faults.length > 0).length,
});

function summarise(measured: readonly Measured[]): Result {
  const names = [...new Set(measured.map(({ list }) => list))];
  const faults = measured
    .filter((each) => each.faults.length > 0)
    .map(({ list, filter, faults: found }) => ({ list, filter, faults: found }));
  return {
    lists: Object.fromEntries(
      names.map((name) => [name, worstOf(measured.filter(({ list }) => list === name))]),
    ),
    faults,
  };
}
