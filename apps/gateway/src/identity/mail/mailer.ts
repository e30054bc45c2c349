import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import { within } from '@plimsoll/service-kit';
import { createTransport, type Transporter } from 'nodemailer';
import { Counter, register } from 'prom-client';
import { GatewayConfig } from '../../config';
import { LocalMails } from './local-mails';
import type { Mail } from './mail-texts';

const MAX_WAITING = 200;
const MAX_AT_ONCE = 2;
const MAX_ATTEMPTS = 5;
const CONNECT_DEADLINE_MS = 5_000;
const SEND_DEADLINE_MS = 15_000;
const STOP_DEADLINE_MS = 4_000;

/** Creates a mail when its turn comes. Null when there is nothing to send. */
type MailMaker = () => Promise<Mail | null>;

/**
 * Creates and sends mails over SMTP_URL, a few at a time, after the requests that cause them. No request
 * waits for the server, and no response time reveals whether there was a mail. A killed process loses waiting
 * mails, and the user can request another.
 */
@Injectable()
export class Mailer implements OnApplicationShutdown {
  readonly isEnabled: boolean;
  /** Keeps the mails of LOCAL_MAILS, which are not sent. */
  readonly local: LocalMails | undefined;
  private readonly logger = new Logger('mail');
  private readonly transport: Transporter;
  private readonly waiting: MailMaker[] = [];
  private readonly workers = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(private readonly config: GatewayConfig) {
    this.local = config.LOCAL_MAILS ? new LocalMails() : undefined;
    this.isEnabled = config.SMTP_URL !== '' || this.local !== undefined;
    this.transport = createTransport({
      url: config.SMTP_URL,
      connectionTimeout: CONNECT_DEADLINE_MS,
      greetingTimeout: CONNECT_DEADLINE_MS,
      dnsTimeout: CONNECT_DEADLINE_MS,
      socketTimeout: SEND_DEADLINE_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  /** @returns false when too many wait; this one is then not sent */
  send(make: MailMaker): boolean {
    if (this.waiting.length >= MAX_WAITING) return false;
    this.waiting.push(make);
    if (this.workers.size < MAX_AT_ONCE) {
      const worker = this.work().finally(() => this.workers.delete(worker));
      this.workers.add(worker);
    }
    return true;
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.race([Promise.all(this.workers), delay(STOP_DEADLINE_MS, undefined, { ref: false })]);
    if (this.waiting.length > 0) this.logger.warn({ msg: 'mails were not sent', count: this.waiting.length });
    this.transport.close();
  }

  private async work(): Promise<void> {
    for (let make = this.waiting.shift(); make; make = this.waiting.shift()) {
      const mail = await make().catch((error: Error) => {
        this.logger.error({ msg: 'a mail could not be created', err: error });
        return null;
      });
      if (mail) await this.deliver(mail);
    }
  }

  private async deliver(mail: Mail): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const failure = await this.attempt(mail);
      if (failure === undefined) return count(mail, 'sent');
      const isLast = attempt === MAX_ATTEMPTS || !isTransient(failure) || this.stopping.signal.aborted;
      // The text of a mail server may repeat the address. Its code is sufficient.
      const { code, responseCode } = failure;
      this.logger.warn({
        msg: 'a mail was not accepted',
        kind: mail.kind,
        attempt,
        isLast,
        code,
        responseCode,
      });
      if (isLast) return count(mail, 'failed');
      await delay(retryDelayMs(attempt, Math.random()), undefined, { signal: this.stopping.signal }).catch(
        () => undefined,
      );
    }
  }

  private async attempt(mail: Mail): Promise<SmtpFailure | undefined> {
    if (this.local) {
      this.local.keep(mail);
      return undefined;
    }
    const { to, subject, text } = mail;
    const late = (): SmtpFailure => Object.assign(new Error('late'), { code: 'ETIMEDOUT' });
    try {
      const sent = this.transport.sendMail({ from: this.config.MAIL_FROM, to, subject, text });
      await within(SEND_DEADLINE_MS, sent, late);
      return undefined;
    } catch (error) {
      return error as SmtpFailure;
    }
  }
}

/** Returns the problem for a mail beyond the queue's bound. */
export function tooManyMails(): Problem {
  return new Problem('upstream_unavailable', 'Too many mails wait to be sent. Try again in a minute.', {
    headers: { 'Retry-After': '60' },
  });
}

type SmtpFailure = Error & { code?: string; responseCode?: number };

function count({ kind }: Mail, outcome: 'sent' | 'failed'): void {
  mailsTotal().inc({ kind, outcome });
}

function mailsTotal(): Counter {
  const existing = register.getSingleMetric('gateway_mails_total') as Counter | undefined;
  return (
    existing ??
    new Counter({ name: 'gateway_mails_total', help: 'Mails by outcome', labelNames: ['kind', 'outcome'] })
  );
}

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 30_000;

/**
 * Returns the delay after the attempt (from 1): four times the previous one, plus up to a quarter of jitter
 * (0–1).
 */
export function retryDelayMs(attempt: number, jitter: number): number {
  return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 4 ** (attempt - 1)) * (1 + jitter / 4);
}

/** A 5xx of a mail server is permanent. Only transient failures are retried. */
export function isTransient({ responseCode }: { responseCode?: number }): boolean {
  return responseCode === undefined || responseCode < 500;
}
