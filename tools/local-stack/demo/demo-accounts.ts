import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { TIER_LIMITS } from '@plimsoll/access';
import { DemoApi } from './demo-api';
import { demoEmail } from './demo-email';
import { DEMO_TIERS, type DemoTier } from '../settings/demo-tiers';
import type { Secrets } from '../settings/secrets';
import { UsageError } from '../settings/usage-error';

const execFileAsync = promisify(execFile);
/** Four in parallel, beside services that have just started: half a minute on a busy machine. */
const ADMIN_TIMEOUT_MS = 120_000;
const PARALLEL_WATCHES = 8;

/**
 * The dependencies of demo accounts: the running gateway, and the command line that creates accounts in
 * its database.
 */
export interface DemoTarget {
  baseUrl: string;
  root: string;
  gatewayEnvironment: NodeJS.ProcessEnv;
  secrets: Secrets;
  enterprisePerMinute: number;
}

/** Creates the account and key of every tier, unless the key works already with the requested limits. */
export async function ensureDemoAccounts(target: DemoTarget): Promise<void> {
  await Promise.all(
    DEMO_TIERS.map(async (tier) => {
      if (!(await isInPlace(target, tier))) await makeAccount(target, tier);
    }),
  );
}

/** Watches the wallets with every account up to the limit of its tier. Watched ones stay unchanged. */
export async function ensureDemoWallets(
  { baseUrl, secrets }: DemoTarget,
  wallets: readonly string[],
): Promise<Record<DemoTier, number>> {
  const counts = await Promise.all(
    DEMO_TIERS.map(async (tier): Promise<[DemoTier, number]> => {
      const wanted = wallets.slice(0, demoWalletCount(tier, wallets.length));
      const api = new DemoApi(baseUrl, secrets.demoKeys[tier]);
      const watched = await api.watchedWallets();
      const missing = wanted.filter((address) => !watched.has(address.toLowerCase()));
      await eachOf(missing, PARALLEL_WATCHES, (address) => api.watch(address));
      return [tier, wanted.length];
    }),
  );
  return Object.fromEntries(counts) as Record<DemoTier, number>;
}

/**
 * The number of wallets that the demo account of a tier watches: all on enterprise, 25 on business, else the
 * tier's limit.
 */
export function demoWalletCount(tier: DemoTier, available: number): number {
  if (tier === 'enterprise') return available;
  return Math.min(available, tier === 'business' ? 25 : (TIER_LIMITS[tier].wallets ?? available));
}

async function makeAccount(target: DemoTarget, tier: DemoTier): Promise<void> {
  const perMinute = tier === 'enterprise' ? ['--per-minute', String(target.enterprisePerMinute)] : [];
  const { demoKeys, demoPassword } = target.secrets;
  const login = ['--email', demoEmail(tier), '--password', demoPassword];
  const account = ['--tier', tier, ...login, '--key', demoKeys[tier], ...perMinute];
  try {
    await execFileAsync(process.execPath, ['dist/apps/gateway/admin.js', 'ensure-demo', ...account], {
      cwd: target.root,
      env: target.gatewayEnvironment,
      timeout: ADMIN_TIMEOUT_MS,
    });
  } catch (error) {
    const { stderr = '', killed } = error as { stderr?: string; killed?: boolean };
    const said = stderr.trim().split('\n').at(-1) || String(error);
    const reason = killed ? `not done within ${ADMIN_TIMEOUT_MS / 1_000} s` : said;
    throw new UsageError(
      `the demo account of tier ${tier} was not made: ${reason}`,
      'See .local/logs/gateway.log',
    );
  }
}

async function isInPlace(
  { baseUrl, secrets, enterprisePerMinute }: DemoTarget,
  tier: DemoTier,
): Promise<boolean> {
  const api = new DemoApi(baseUrl, secrets.demoKeys[tier]);
  const limits = await api.limits();
  const perMinute = tier === 'enterprise' ? enterprisePerMinute : TIER_LIMITS[tier].requestsPerMinute;
  if (limits?.tier !== tier || limits.perMinute !== perMinute) return false;
  return api.canLogIn(demoEmail(tier), secrets.demoPassword);
}

async function eachOf<T>(
  items: readonly T[],
  parallel: number,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await run(item);
  };
  await Promise.all(Array.from({ length: parallel }, worker));
}
