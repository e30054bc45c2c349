import { randomBytes } from 'node:crypto';
import { type Sent, anyAddress, send } from './client';
import type { Target } from './target';
import { until } from './until';

const CODE = /\/confirm-email#([\w-]+)/;

/** A browser with a session. */
export class Browser {
  cookie = '';
  /** The cookie of a browser that logged in before. */
  device = '';
  readonly address = anyAddress();

  private constructor(
    private readonly origin: string,
    readonly email: string,
    readonly password: string,
  ) {}

  /** Signs up and logs in. A platform with mails requires a confirmation of the address, and `npm start` keeps the mails. */
  static async signedIn({ origin }: Pick<Target, 'origin'>): Promise<Browser> {
    const email = `attack-${randomBytes(8).toString('hex')}@example.com`;
    const browser = new Browser(origin, email, randomBytes(16).toString('hex'));
    const { status, body } = await browser.send('POST', '/account/v1/sign-up', {
      email,
      password: browser.password,
    });
    if (status >= 300) throw new Error(`the sign-up responded with ${status}`);
    if (body['status'] === 'check_email') await browser.confirm();
    await browser.logIn();
    return browser;
  }

  private async confirm(): Promise<void> {
    const token = await until(`a mail to ${this.email}`, async () => {
      const { body } = await this.send('GET', '/portal/mail.json');
      const mails = (body['mails'] ?? []) as { to: string; text: string }[];
      return CODE.exec(mails.find(({ to }) => to === this.email)?.text ?? '')?.[1];
    });
    const { status } = await this.send('POST', '/account/v1/email-check/confirm', { token });
    if (status >= 300) throw new Error(`the confirmation responded with ${status}`);
  }

  /** Another browser of the same account. */
  async another(): Promise<Browser> {
    const other = new Browser(this.origin, this.email, this.password);
    await other.logIn();
    return other;
  }

  async logIn(): Promise<void> {
    const { email, password } = this;
    const { status, headers } = await this.send('POST', '/account/v1/log-in', { email, password });
    this.cookie = /plimsoll_session=[\w-]{43}/.exec(headers['set-cookie'] ?? '')?.[0] ?? '';
    this.device = /plimsoll_device=[\w-]{43}/.exec(headers['set-cookie'] ?? '')?.[0] ?? this.device;
    if (status !== 200) throw new Error(`the log-in responded with ${status}`);
  }

  send(method: string, path: string, body?: object): Promise<Sent> {
    const cookie = [this.cookie, this.device].filter(Boolean).join('; ');
    return send(this.origin, method, path, { cookie, body, address: this.address });
  }
}
