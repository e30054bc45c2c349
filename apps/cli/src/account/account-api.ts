import type { CallOptions, Plimsoll, components } from '@plimsoll/sdk';
import { type Context, clientOf } from '../context';
import { EXIT, Failure } from '../failure';
import { readSecret } from '../settings/terminal';

export type Schemas = components['schemas'];

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** The account API. It takes a session instead of a key. */
export class AccountApi {
  private readonly transport: Plimsoll['transport'];
  private readonly cookies = new Map<string, string>();

  /** @throws Failure for an address that is no URL */
  constructor(url: string | undefined, { clientOptions }: Context) {
    this.transport = clientOf('none', url, {
      ...clientOptions,
      onRequest: ({ headers }) => {
        headers.delete('x-api-key');
        if (this.cookies.size > 0) headers.set('cookie', [...this.cookies.values()].join('; '));
      },
      onResponse: ({ headers }) => {
        for (const cookie of headers.getSetCookie()) {
          const [pair = ''] = cookie.split(';');
          this.cookies.set(pair.slice(0, pair.indexOf('=')), pair);
        }
      },
    }).transport;
  }

  get baseUrl(): string {
    return this.transport.baseUrl;
  }

  send<T>(method: string, path: string, body?: object, options?: CallOptions): Promise<T> {
    const call = { method, path: `/account/v1/${path}`, ...(body && { body }) };
    return this.transport.send(call, options) as Promise<T>;
  }
}

/**
 * Runs an action with a session of the user, which ends with it. The password comes from standard input or the
 * terminal.
 */
export async function withSession<T>(
  context: Context,
  email: string,
  action: (account: AccountApi) => Promise<T>,
): Promise<T> {
  const account = new AccountApi(context.accountUrl, context);
  const { protocol, hostname } = new URL(account.baseUrl);
  if (protocol !== 'https:' && !LOOPBACK.test(hostname))
    throw new Failure(
      EXIT.usage,
      'url_insecure',
      `${account.baseUrl} would receive the password unencrypted. Use https://….`,
    );
  const password = await readSecret('Password');
  if (password === '')
    throw new Failure(
      EXIT.usage,
      'password_missing',
      'Standard input has no password. Give one line with it.',
    );
  await account.send('POST', 'log-in', { email, password });
  try {
    return await action(account);
  } finally {
    await account.send('POST', 'log-out').catch(() => {
      context.note('The session could not be ended. It ends by itself, or end it in the list of sessions.');
    });
  }
}
