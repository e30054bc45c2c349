import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { generateApiKey } from '@plimsoll/access';
import type { Stack } from './stack';

const execFileAsync = promisify(execFile);
const ADMIN = 'dist/apps/gateway/admin.js';
const DEADLINE_MS = 30_000;
/** High enough that the limit never applies: a limited run would accept 429 everywhere. */
const REQUESTS_PER_MINUTE = 10_000_000;
const SEEDED_WALLETS = 5;

/** A separate account for the run, so that the demo does not change: enterprise, with every scope. */
export class TestAccount {
  private constructor(
    private readonly stack: Stack,
    readonly key: string,
    private readonly keyId: string,
  ) {}

  static async create(stack: Stack): Promise<TestAccount> {
    const key = generateApiKey('demo', randomBytes);
    const terms = ['--tier', 'enterprise', '--per-minute', String(REQUESTS_PER_MINUTE)];
    const made = await admin(
      stack,
      'ensure-demo',
      '--email',
      'contract@plimsoll.local',
      '--key',
      key,
      ...terms,
    );
    return new TestAccount(stack, key, (JSON.parse(made) as { key: { id: string } }).key.id);
  }

  /** Creates data for lists: wallets with positions, and a webhook. */
  async fill(webhookUrl: string): Promise<void> {
    for (const address of this.stack.wallets.slice(0, SEEDED_WALLETS)) {
      await this.call('POST', '/wallets', { address });
    }
    await this.call('POST', '/webhooks', { url: webhookUrl, events: ['alert.created'] });
  }

  /** Deletes the remaining data of the account, and its key. */
  async clear(): Promise<void> {
    await this.removeAll('/automation/rules', 'rules', 'id');
    await this.removeAll('/webhooks', 'webhooks', 'id');
    await this.removeAll('/wallets', 'wallets', 'address');
    await admin(this.stack, 'keys', 'revoke', '--id', this.keyId);
  }

  private async removeAll(path: string, list: string, id: 'id' | 'address'): Promise<void> {
    for (;;) {
      const page = (await this.call('GET', `${path}?limit=200`)) as Record<string, Record<string, string>[]>;
      const items = page[list] ?? [];
      if (items.length === 0) return;
      for (const item of items) await this.call('DELETE', `${path}/${item[id]}`);
    }
  }

  private async call(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(this.stack.baseUrl + path, {
      method,
      headers: { 'x-api-key': this.key, ...(body && { 'content-type': 'application/json' }) },
      body: body ? JSON.stringify(body) : null,
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
    return JSON.parse(text);
  }
}

async function admin({ databaseUrl, redisUrl }: Stack, ...words: string[]): Promise<string> {
  const env = { ...process.env, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl };
  const { stdout } = await execFileAsync(process.execPath, [ADMIN, ...words], { env, timeout: DEADLINE_MS });
  return stdout;
}
