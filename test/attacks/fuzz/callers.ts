import { startReceiver } from '@plimsoll/testing';
import { Browser } from '../browser';
import { type SendOptions, type Sent, send } from '../client';
import { watchedPosition } from '../positions';
import type { Target } from '../target';
import type { Records } from './hostile-requests';
import type { Access } from './operations';

/** Below the 120 requests a minute of an account at the account API. */
const REQUESTS_OF_BROWSER = 100;

/** Sends requests with what their operation requires, so that no limit hides the operation. */
export class Callers {
  private browser: Browser | undefined;
  private used = 0;

  private constructor(
    private readonly target: Target,
    private readonly key: string,
    readonly records: Records,
    private readonly close: () => Promise<void>,
  ) {}

  /** Makes an enterprise account with a position, a webhook and a rule. */
  static async create(target: Target): Promise<Callers> {
    const { key } = await target.account('enterprise');
    const receiver = await startReceiver();
    const positionId = await watchedPosition(target, key);
    const hook = { url: `${receiver.url}/hook`, events: ['alert.created'] };
    const rule = { conditionType: 'health_factor_below', conditionValue: 0.1, positionId, name: 'fuzz' };
    const created = async (path: string, field: string, body: object): Promise<string> => {
      const { status, body: found } = await send(target.origin, 'POST', path, { key, body });
      if (status !== 201) throw new Error(`POST ${path} responded with ${status}`);
      return (found[field] as { id: string }).id;
    };
    const webhookId = await created('/v1/webhooks', 'webhook', hook);
    const ruleId = await created('/v1/automation/rules', 'rule', { ...rule, actionType: 'alert' });
    const [wallet = ''] = target.wallets;
    const records = {
      '/v1/positions/': positionId,
      '/v1/webhooks/': webhookId,
      '/v1/automation/rules/': ruleId,
      '/v1/protocols/': 'aave-v3',
      '/v1/chains/': '1',
      wallet,
      positionId,
      ruleId,
      symbol: 'ETH',
      symbols: 'ETH',
      url: hook.url,
    };
    return new Callers(target, key, records, () => receiver.close());
  }

  /** The example with records of the account, so that only its hostile part is wrong. */
  withRecords(example: Record<string, unknown>, serial: number): Record<string, unknown> {
    const { positionId = '', wallet = '', url = '' } = this.records;
    const text = JSON.stringify(example)
      .replaceAll(/"pos_\w+"/g, JSON.stringify(positionId))
      .replaceAll(/"0x[0-9a-fA-F]{40}"/g, JSON.stringify(wallet))
      .replaceAll(/"https:[^"]+"/g, JSON.stringify(url))
      .replaceAll(/"[^"]+@example\.com"/g, `"fuzz-${serial}@example.com"`);
    return JSON.parse(text) as Record<string, unknown>;
  }

  async send(access: Access, method: string, path: string, options: SendOptions): Promise<Sent> {
    const { origin } = this.target;
    if (access === 'key') return send(origin, method, path, { ...options, key: this.key });
    if (access === 'none') return send(origin, method, path, options);
    const { cookie, address } = await this.freshBrowser();
    const sent = await send(origin, method, path, { ...options, cookie, address });
    // The request ended the session, or this operation has a smaller limit.
    if (path.endsWith('/log-out') || [401, 429].includes(sent.status)) this.browser = undefined;
    return sent;
  }

  stop(): Promise<void> {
    return this.close();
  }

  private async freshBrowser(): Promise<Browser> {
    this.used += 1;
    if (!this.browser || this.used > REQUESTS_OF_BROWSER) {
      this.browser = await Browser.signedIn(this.target);
      this.used = 1;
    }
    return this.browser;
  }
}
