import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { SERVICES } from '../../test/platform/start-platform';
import type { ServiceName } from '../local-stack/services/service-environment';
import { BREAKS, writeBreak } from './breaks';
import { type EventsResult, explainEvents } from './events';
import { type FlowResult, runFlow } from './flow';
import { buildRelease, resolved, run, type Release } from './release';

const USAGE = `usage: npm run --silent compat -- --from VERSION [--only SERVICE,...] [--prove] [--json]

  Shows that each service can be deployed alone. It runs one flow through every service, twice for each of them:
    upgrade   the released service beside the others of this tree; it is then replaced by that of this tree
    rollback  the service of this tree beside the released others; it is then replaced by the released one
  The migrations of this tree are applied while the released services run. Event schemas of each version read the event
  fixtures of the other. Ends with 1 when a flow fails or a fixture is rejected.
  The first run builds the release in .local/releases, which takes some minutes. A flow takes about a minute.
  --from   a version of deploy/releases.json, or its tag
  --only   leaves out the other services
  --prove  makes incompatible changes to copies of the builds instead, and ends with 1 when one is not found
  --json   prints the results as JSON`;

const DEPLOYMENTS = {
  upgrade: (name: ServiceName): readonly ServiceName[] => [name],
  rollback: (name: ServiceName): readonly ServiceName[] => SERVICES.filter((each) => each !== name),
};

/** A deployment of one service. */
interface Row extends FlowResult {
  service: ServiceName;
  deployment: keyof typeof DEPLOYMENTS;
  isFine: boolean;
}

/** Events of one version, read by the other. */
interface EventsRow extends EventsResult {
  events: string;
  isFine: boolean;
}

/** An incompatible change. It is found when the flow passes without the released service, and fails with it. */
interface Proof {
  change: string;
  service: ServiceName;
  isFine: boolean;
  without: FlowResult;
  beside: FlowResult;
}

interface Options {
  version: string;
  names: readonly ServiceName[];
  isProof: boolean;
  isJson: boolean;
}

/** Prints a row for each deployment, or for each incompatible change. */
export async function main(args: string[]): Promise<void> {
  try {
    const options = optionsOf(args);
    if (options === null) console.log(USAGE);
    else await compare(process.cwd(), options);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 2;
  }
}

/** Null: the usage is wanted. @throws Error that says which value is wrong */
function optionsOf(args: string[]): Options | null {
  const flag = { type: 'boolean' } as const;
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args,
    options: { from: text, only: text, prove: flag, json: flag, help: flag },
  });
  if (values.help) return null;
  if (values.from === undefined) throw new Error(`--from is missing.\n\n${USAGE}`);
  const names = values.only?.split(',') ?? SERVICES;
  const unknown = names.filter((name) => !(SERVICES as readonly string[]).includes(name));
  if (unknown.length > 0)
    throw new Error(`There is no service ${unknown.join(', ')}. Services: ${SERVICES.join(', ')}.`);
  return {
    version: values.from,
    names: names as readonly ServiceName[],
    isProof: values.prove ?? false,
    isJson: values.json ?? false,
  };
}

async function compare(root: string, { version, names, isProof, isJson }: Options): Promise<void> {
  const print = (line: string): void => (isJson ? console.error(line) : console.log(line));
  const release = await buildRelease(root, version, print);
  print('this tree: npm run build');
  await run('npm', ['run', 'build'], root);
  const head = {
    from: version,
    release: release.commit,
    tree: resolved(root, 'HEAD'),
    isChanged: execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }) !== '',
    machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
  };
  print(
    `${version} (${release.commit.slice(0, 8)}) beside ${head.tree?.slice(0, 8)}${head.isChanged ? ' with changes' : ''}, ${head.machine}`,
  );
  const rows: (EventsRow | Proof | Row)[] = [];
  for (const row of isProof ? prove(root, release, names) : deploy(root, release, names)) {
    print(lineOf(row));
    rows.push(row);
  }
  if (isJson) console.log(JSON.stringify({ ...head, rows }, null, 2));
  if (rows.length > 0 && rows.every(({ isFine }) => isFine)) return;
  console.error(
    isProof
      ? 'A change was not found: extend the flow. Or it fails without the release: correct tools/compat/breaks.ts.'
      : 'A released service and this tree do not fit. Keep the names that the release uses, or change them in two releases.',
  );
  process.exitCode = 1;
}

function* deploy(root: string, release: Release, names: readonly ServiceName[]): Generator<EventsRow | Row> {
  yield eventsRow('of the release by schemas of this tree', root, release.folder);
  yield eventsRow('of this tree by schemas of the release', release.folder, root);
  for (const service of names)
    for (const deployment of ['upgrade', 'rollback'] as const) {
      const released = DEPLOYMENTS[deployment](service);
      const versions = { current: root, release: release.folder, released, replaced: service };
      const result = runFlow(root, versions);
      yield { service, deployment, isFine: result.failed.length === 0, ...result };
    }
}

function eventsRow(events: string, schemas: string, fixtures: string): EventsRow {
  const result = explainEvents(schemas, fixtures);
  return { events, isFine: result.read > 0 && result.rejected.length === 0, ...result };
}

function* prove(root: string, release: Release, names: readonly ServiceName[]): Generator<Proof> {
  const current = path.join(root, '.local/compat', String(process.pid));
  try {
    for (const change of BREAKS.filter(({ service }) => names.includes(service))) {
      writeBreak(root, current, change);
      const flow = (released: readonly ServiceName[]): FlowResult =>
        runFlow(root, { current, release: release.folder, released, replaced: null });
      const without = flow([]);
      const beside = flow([change.service]);
      const isFine = without.failed.length === 0 && beside.failed.length > 0;
      yield { change: change.name, service: change.service, isFine, without, beside };
    }
  } finally {
    rmSync(current, { recursive: true, force: true });
  }
}

function lineOf(row: Row | EventsRow | Proof): string {
  const mark = row.isFine ? 'ok    ' : 'FAILED';
  if ('events' in row)
    return `${mark} events ${row.events}: ${row.read} read, ${row.rejected.length} rejected${linesOf(row.rejected)}`;
  if ('deployment' in row)
    return `${mark} ${row.service.padEnd(17)} ${row.deployment.padEnd(9)} ${flowText(row)}`;
  return `${mark} ${row.change}\n       without the release: ${flowText(row.without)}\n       with ${row.service} of the release: ${flowText(row.beside)}`;
}

const flowText = ({ passed, failed, seconds }: FlowResult): string =>
  `${passed} passed, ${failed.length} failed, ${seconds} s${linesOf(failed)}`;

const linesOf = (texts: readonly string[]): string => texts.map((each) => `\n         ${each}`).join('');
