import { Controller, Get, Header, Headers, UseGuards } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import { WithoutIdentity } from '@plimsoll/service-kit';
import type { LocalMail } from '../mail/local-mails';
import { Mailer } from '../mail/mailer';
import { isLoopback } from '../sessions/browser-session';
import { AccountGuard } from './account-guard';

/** Mails of a platform on one machine, for the page /portal/mail. It is no part of the API. */
@Controller('portal/mail.json')
@WithoutIdentity()
@UseGuards(AccountGuard)
export class LocalMailsController {
  constructor(private readonly mailer: Mailer) {}

  /**
   * A name that a stranger points to the loopback is refused, because its page would be of the same origin.
   * @throws Problem route_not_found without LOCAL_MAILS
   */
  @Get()
  @Header('Cache-Control', 'no-store')
  list(@Headers('host') host: string): { mails: readonly LocalMail[] } {
    if (this.mailer.local && isLoopback(host)) return { mails: this.mailer.local.list() };
    throw new Problem('route_not_found', 'This platform sends its mails. Only LOCAL_MAILS keeps them.');
  }
}
