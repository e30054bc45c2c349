import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { generateApiKey } from '@plimsoll/access';
import type { Tier } from '@plimsoll/contracts';
import { workspaceRoot } from '@plimsoll/local-parts';

const execFileAsync = promisify(execFile);

export interface DemoAccount {
  id: string;
  key: string;
}

/**
 * Makes an account with a key by the built admin command, which also migrates the gateway's schema.
 * @param env variables of the gateway
 * @param perMinute limit of its calls; absent: its tier's
 */
export async function createDemoAccount(
  env: Readonly<Record<string, string>>,
  tier: Tier,
  perMinute?: number,
): Promise<DemoAccount> {
  const key = generateApiKey('demo', randomBytes);
  const email = `${randomBytes(6).toString('hex')}@plimsoll.test`;
  const limit = perMinute === undefined ? [] : ['--per-minute', String(perMinute)];
  const admin = path.join(workspaceRoot(), 'dist/apps/gateway/admin.js');
  const words = ['ensure-demo', '--tier', tier, '--email', email, '--key', key, ...limit];
  const { stdout } = await execFileAsync(process.execPath, [admin, ...words], {
    env: { PATH: process.env.PATH, ...env },
    timeout: 30_000,
  });
  return { id: (JSON.parse(stdout) as { account: { id: string } }).account.id, key };
}
