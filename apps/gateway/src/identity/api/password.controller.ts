import { Body, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ChangePasswordBody, Done, EmailBody, ResetPasswordBody } from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import type { Actor } from '../audit/audit-entry';
import { LimitedByAddress } from './account-door';
import type { Client } from '../accounts/devices';
import { ClientAddress, CurrentClient, CurrentSession, SessionActor } from './account-guard';
import { AccountRoutes } from './account-routes';
import { SessionGuard } from './session.guard';
import type { Session } from '../sessions/sessions';
import { Credentials } from '../accounts/credentials';

@AccountRoutes('account/v1/password')
export class PasswordController {
  constructor(private readonly credentials: Credentials) {}

  @Post('forgot')
  @LimitedByAddress('mail')
  @HttpCode(202)
  @Documented({
    operationId: 'forgotPassword',
    tag: 'Account',
    summary: 'Send a code for a new password',
    description:
      'A newer code invalidates the previous one. Where the platform sends no mails, its operator sets a new password.',
    responses: [{ status: 202, description: 'The same for every address.', schema: Done }],
  })
  async forgot(@Body() { email }: EmailBody, @CurrentClient() client: Client): Promise<Done> {
    await this.credentials.forgot(email, client);
    return { success: true };
  }

  @Post('reset')
  @LimitedByAddress('token')
  @HttpCode(200)
  @Documented({
    operationId: 'resetPassword',
    tag: 'Account',
    summary: 'Set a new password with the code of the mail',
    description:
      'A code works once, for an hour. Every session of the account ends, and every API key unless keepKeys is true.',
    responses: [{ status: 200, description: 'Log in with the new password.', schema: Done }],
  })
  async reset(@Body() body: ResetPasswordBody, @ClientAddress() address: string): Promise<Done> {
    await this.credentials.reset(body, address);
    return { success: true };
  }

  @Post('change')
  @HttpCode(200)
  @UseGuards(SessionGuard)
  @Documented({
    operationId: 'changePassword',
    tag: 'Account',
    signedIn: true,
    summary: 'Change the password',
    description: 'The other sessions of the account end. API keys do not change.',
    responses: [{ status: 200, description: 'The new password is valid.', schema: Done }],
  })
  async change(
    @CurrentSession() session: Session,
    @SessionActor() by: Actor,
    @Body() body: ChangePasswordBody,
  ): Promise<Done> {
    await this.credentials.change(session, body, by);
    return { success: true };
  }
}
