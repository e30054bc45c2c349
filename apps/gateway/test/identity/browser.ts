import { type TestResponse, call, randomAddress } from '../fixture';

let people = 0;

/**
 * A browser at a gateway: it stores the cookie that it receives, and reports a page of the same origin.
 */
export class Browser {
  cookie?: string | undefined;
  /** The cookie of a device that logged in before. */
  device?: string | undefined;
  /** Headers of every request. */
  headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' };
  readonly address = randomAddress();
  readonly email: string;
  readonly password = 'correct horse battery staple';

  constructor(
    readonly gateway: string,
    email?: string,
  ) {
    people += 1;
    this.email = email ?? `Person-${people}@Example.com`;
  }

  /** A browser with a new account that is signed in. */
  static async signedIn(gateway: string): Promise<Browser> {
    const browser = new Browser(gateway);
    await browser.signUp();
    await browser.logIn();
    return browser;
  }

  get = (path: string): Promise<TestResponse> => this.send('GET', path);
  delete = (path: string): Promise<TestResponse> => this.send('DELETE', path);
  post = (path: string, body?: object): Promise<TestResponse> => this.send('POST', path, body);

  signUp = (): Promise<TestResponse> =>
    this.post('/account/v1/sign-up', { email: this.email, password: this.password });

  logIn = (password = this.password): Promise<TestResponse> =>
    this.post('/account/v1/log-in', { email: this.email, password });

  async send(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<TestResponse> {
    const response = await call(this.gateway, path, undefined, {
      method,
      ...(body && { body: JSON.stringify(body) }),
      headers: {
        'x-forwarded-for': this.address,
        ...(body && { 'content-type': 'application/json' }),
        cookie: [this.cookie, this.device].filter(Boolean).join('; '),
        ...this.headers,
      },
    });
    const set = response.headers['set-cookie']?.split(';')[0];
    if (set) this.cookie = set.endsWith('=') ? undefined : set;
    this.device =
      /(?:__Host-)?plimsoll_device=[\w-]{43}/.exec(response.headers['set-cookie'] ?? '')?.[0] ?? this.device;
    return response;
  }
}

/** Status and code of a response: the part that tests of rejections assert. */
export const outcome = ({ status, body }: TestResponse): [number, unknown] => [status, body.code];
