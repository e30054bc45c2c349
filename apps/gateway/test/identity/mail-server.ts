import type { AddressInfo } from 'node:net';
import { waitFor } from '@plimsoll/testing';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  to: string;
  text: string;
}

/** A real SMTP server that stores the received mails. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  /** Responses to the next mails, which it rejects. */
  readonly refusals: { responseCode: number }[] = [];
  url = '';
  private readonly server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const refusal = this.refusals.shift();
        if (refusal) return done(Object.assign(new Error('not now'), refusal));
        const to = session.envelope.rcptTo[0]?.address ?? '';
        this.mails.push({ to, text: unfolded(Buffer.concat(parts).toString()) });
        return done();
      });
    },
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `smtp://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
    });
  }

  /** The mail at `index` of those to an address. */
  mailTo(address: string, index = 0): Promise<ReceivedMail> {
    const to = address.toLowerCase();
    return waitFor(() => this.mails.filter((mail) => mail.to === to)[index], {
      message: `mail ${index} to ${to}`,
    });
  }

  /** The code at `index` of those mailed to an address. */
  codeTo(address: string, index = 0): Promise<string> {
    const to = address.toLowerCase();
    const codes = () => this.mails.filter((mail) => mail.to === to).map(({ text }) => codeIn(text));
    return waitFor(() => codes().filter((code) => code !== undefined)[index], {
      message: `code ${index} to ${to}`,
    });
  }
}

const codeIn = (text: string): string | undefined => /^ {2}([\w-]{43})\s*$/m.exec(text)?.[1];

/** Undoes quoted-printable. */
function unfolded(text: string): string {
  return text
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}
