import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { generateApiKey } from '@plimsoll/access';
import type { Tier } from '@plimsoll/contracts';
import { send } from './client';

const run = promisify(execFile);
const ADMIN_DEADLINE_MS = 60_000;
/** The process of all services. */
const ALL_SERVICES = 'services';
const START = 'Start the platform (npm start -- --detach) and run this again.';

/** A service behind the gateway. */
export interface TargetService {
  name: string;
  url: string;
  /** Serves metrics and readiness. */
  operationsUrl: string;
  /** Name of its process. Without --separate, `npm start` runs all services in one. */
  process: string;
}

export interface TestAccount {
  accountId: string;
  keyId: string;
  key: string;
}

export interface TargetSettings {
  /** Of the gateway. */
  origin: string;
  services: readonly TargetService[];
  /** Seeded wallets with positions. */
  wallets: readonly string[];
  /** Fewer repetitions, for CI. */
  isShort: boolean;
  /** Most milliseconds of a response to hostile input. More in CI, where other suites use the processor. */
  limitMs: number;
  /** Files that only their owner may read. */
  secretFiles: readonly string[];
  /** The fuzz sends only to paths that contain it. */
  route: string;
  seed: number;
  /** Prints a line about the progress of an attack. */
  progress(line: string): void;
}

/** The platform under attack. */
export interface Target extends TargetSettings {
  /** Creates an account of a tier with a key of all scopes. Enterprise accounts have no practical limit. */
  account(tier: Tier): Promise<TestAccount>;
  /** Runs a command of the operator and returns its output. */
  admin(...words: string[]): Promise<unknown>;
  /** Deletes the webhooks, rules and watched wallets of the accounts. The accounts stay. */
  cleanUp(): Promise<void>;
}

/** An error that the user can correct. The message states the correction. */
export class RefusedTarget extends Error {}

/** @throws RefusedTarget for an address that is not loopback */
export function requireLoopback(origin: string): string {
  const { hostname, protocol } = new URL(origin);
  const isLoopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
  if (isLoopback && protocol === 'http:') return origin;
  throw new RefusedTarget(`${origin} is not http on loopback. Attack only a platform of this machine.`);
}

/** Returns the target with the operator's commands. @param env variables of the gateway's command line */
export function createTarget(settings: TargetSettings, root: string, env: Record<string, string>): Target {
  for (const { url, operationsUrl } of settings.services) [url, operationsUrl].forEach(requireLoopback);
  const origin = requireLoopback(settings.origin);
  const accounts: TestAccount[] = [];
  const admin = async (...words: string[]): Promise<unknown> => {
    const file = path.join(root, 'dist/apps/gateway/admin.js');
    const options = { env: { ...process.env, ...env }, timeout: ADMIN_DEADLINE_MS };
    const { stdout } = await run(process.execPath, [file, ...words], options);
    return JSON.parse(stdout) as unknown;
  };
  return {
    ...settings,
    origin,
    admin,
    account: async (tier) => {
      const email = `attack-${randomBytes(8).toString('hex')}@example.com`;
      const key = generateApiKey('demo', randomBytes);
      const words = ['ensure-demo', '--email', email, '--tier', tier, '--key', key];
      if (tier === 'enterprise') words.push('--per-minute', '1000000');
      const created = (await admin(...words)) as { account: { id: string }; key: { id: string } };
      const account = { accountId: created.account.id, keyId: created.key.id, key };
      accounts.push(account);
      return account;
    },
    cleanUp: async () => {
      for (const { key } of accounts.splice(0)) await deleteAll(origin, key);
    },
  };
}

/** Lists with the field that identifies an item in the path of its DELETE. */
const LISTS = [
  ['/v1/webhooks', 'webhooks', 'id'],
  ['/v1/automation/rules', 'rules', 'id'],
  ['/v1/wallets', 'wallets', 'address'],
] as const;

async function deleteAll(origin: string, key: string): Promise<void> {
  for (const [list, field, id] of LISTS) {
    for (;;) {
      const { body } = await send(origin, 'GET', `${list}?limit=100`, { key });
      const items = (body[field] ?? []) as Record<string, string>[];
      const deleted = await Promise.all(
        items.map((item) => send(origin, 'DELETE', `${list}/${item[id]}`, { key })),
      );
      if (!deleted.some(({ status }) => status === 200)) break;
    }
  }
}

/** An entry of `npm start`: a part, a process, or a service within the process of all services. */
interface RunEntry {
  name: string;
  url: string;
  operationsUrl?: string;
  /** Absent for a service without a process of its own. */
  pid?: number;
}

/** Returns the services of the entries of `npm start`, each with its process. */
export function servicesOf(entries: readonly RunEntry[]): TargetService[] {
  return entries.flatMap(({ name, url, operationsUrl, pid }) =>
    operationsUrl === undefined || name === ALL_SERVICES
      ? []
      : [{ name, url, operationsUrl, process: pid === undefined ? ALL_SERVICES : name }],
  );
}

interface DemoFile {
  baseUrl: string;
  databaseUrl: string;
  redisUrl: string;
  wallets: string[];
}

/** Returns the platform that `npm start` describes in .local. @throws RefusedTarget */
export async function localTarget(
  root: string,
  options: Pick<TargetSettings, 'isShort' | 'route' | 'seed' | 'progress'>,
): Promise<Target> {
  const file = (name: string): string => path.join(root, '.local', name);
  const read = <T>(name: string): T => JSON.parse(readFileSync(file(name), 'utf8')) as T;
  let demo: DemoFile;
  let state: { entries: RunEntry[] };
  try {
    [demo, state] = [read('demo.json'), read('run.json')];
  } catch (error) {
    throw new RefusedTarget(`There is no .local/demo.json and .local/run.json. ${START}`, { cause: error });
  }
  const { origin } = new URL(requireLoopback(demo.baseUrl));
  const isUp = await fetch(`${origin}/health/live`, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
  if (!isUp?.ok) throw new RefusedTarget(`No gateway responds at ${origin}. ${START}`);
  const services = servicesOf(state.entries);
  const env = { DATABASE_URL: demo.databaseUrl, REDIS_URL: demo.redisUrl };
  const secretFiles = ['demo.json', 'run.json', 'logs/launcher.log'].map(file);
  const settings = { ...options, origin, services, wallets: demo.wallets, limitMs: 250, secretFiles };
  return createTarget(settings, root, env);
}
