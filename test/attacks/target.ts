import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Tier } from '@plimsoll/contracts';

const run = promisify(execFile);
const ADMIN_DEADLINE_MS = 30_000;
const START = 'Start the platform (npm start -- --detach) and run this again.';

/** A service behind the gateway. */
export interface TargetService {
  name: string;
  url: string;
  /** Serves metrics and readiness. */
  operationsUrl: string;
}

export interface TestAccount {
  accountId: string;
  keyId: string;
  key: string;
}

/** The platform under attack. */
export interface Target {
  /** Of the gateway. */
  origin: string;
  services: readonly TargetService[];
  /** Seeded wallets with positions. */
  wallets: readonly string[];
  /** Fewer repetitions, for CI. */
  isShort: boolean;
  /** Creates an account of a tier with a key of all scopes. Enterprise accounts have no practical limit. */
  account(tier: Tier): Promise<TestAccount>;
  /** Runs a command of the operator and returns its output. */
  admin(...words: string[]): Promise<unknown>;
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
export function createTarget(
  settings: Pick<Target, 'origin' | 'services' | 'wallets' | 'isShort'>,
  root: string,
  env: Record<string, string>,
): Target {
  for (const { url, operationsUrl } of settings.services) [url, operationsUrl].forEach(requireLoopback);
  const admin = async (...words: string[]): Promise<unknown> => {
    const file = path.join(root, 'dist/apps/gateway/admin.js');
    const options = { env: { ...process.env, ...env }, timeout: ADMIN_DEADLINE_MS };
    const { stdout } = await run(process.execPath, [file, ...words], options);
    return JSON.parse(stdout) as unknown;
  };
  return {
    ...settings,
    origin: requireLoopback(settings.origin),
    admin,
    account: async (tier) => {
      const email = `attack-${randomBytes(8).toString('hex')}@example.com`;
      const perMinute = tier === 'enterprise' ? ['--per-minute', '1000000'] : [];
      const created = await admin('accounts', 'create', '--email', email, '--tier', tier, ...perMinute);
      const { account } = created as { account: { id: string } };
      const { key } = (await admin('keys', 'create', '--account', account.id)) as {
        key: { id: string; key: string };
      };
      return { accountId: account.id, keyId: key.id, key: key.key };
    },
  };
}

interface DemoFile {
  baseUrl: string;
  databaseUrl: string;
  redisUrl: string;
  wallets: string[];
}

/** Returns the platform that `npm start` describes in .local. @throws RefusedTarget */
export async function localTarget(root: string, isShort: boolean): Promise<Target> {
  const read = <T>(file: string): T => JSON.parse(readFileSync(path.join(root, '.local', file), 'utf8')) as T;
  let demo: DemoFile;
  let state: { entries: Partial<TargetService>[] };
  try {
    [demo, state] = [read('demo.json'), read('run.json')];
  } catch (error) {
    throw new RefusedTarget(`There is no .local/demo.json and .local/run.json. ${START}`, { cause: error });
  }
  const { origin } = new URL(requireLoopback(demo.baseUrl));
  const isUp = await fetch(`${origin}/health/live`, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
  if (!isUp?.ok) throw new RefusedTarget(`No gateway responds at ${origin}. ${START}`);
  const services = state.entries.filter(
    (entry): entry is TargetService => entry.operationsUrl !== undefined && entry.name !== 'services',
  );
  const env = { DATABASE_URL: demo.databaseUrl, REDIS_URL: demo.redisUrl };
  return createTarget({ origin, services, wallets: demo.wallets, isShort }, root, env);
}
