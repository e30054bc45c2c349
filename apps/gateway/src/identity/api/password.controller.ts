import { Body, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ChangePasswordBody, type Done, EmailBody, ResetPasswordBody } from '@plimsoll/contracts';
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
  async forgot(@Body() { email }: EmailBody, @CurrentClient() client: Client): Promise<Done> {
    await this.credentials.forgot(email, client);
    return { success: true };
  }

  @Post('reset')
  @LimitedByAddress('token')
  @HttpCode(200)
  async reset(@Body() body: ResetPasswordBody, @ClientAddress() address: string): Promise<Done> {
    await this.credentials.reset(body, address);
    return { success: true };
  }

  @Post('change')
  @HttpCode(200)
  @UseGuards(SessionGuard)
  async change(
    @CurrentSession() session: Session,
    @SessionActor() by: Actor,
    @Body() body: ChangePasswordBody,
  ): Promise<Done> {
    await this.credentials.change(session, body, by);
    return { success: true };
  }
}
