import type { Mail } from './mail-texts';

const MOST_MAILS = 50;

/** A mail that was not sent. */
export interface LocalMail extends Pick<Mail, 'to' | 'subject' | 'text'> {
  at: string;
}

/** The newest mails of LOCAL_MAILS, in memory. */
export class LocalMails {
  private mails: LocalMail[] = [];

  keep({ to, subject, text }: Mail): void {
    this.mails = [{ to, subject, text, at: new Date().toISOString() }, ...this.mails].slice(0, MOST_MAILS);
  }

  /** Newest first. */
  list(): readonly LocalMail[] {
    return this.mails;
  }
}
