import { Body, HttpCode, Post, Res } from '@nestjs/common';
import { type Done, EmailBody, SignUpBody, type SignUpResult, TokenBody } from '@plimsoll/contracts';
import type { FastifyReply } from 'fastify';
import { LimitedByAddress } from './account-door';
import type { Client } from '../accounts/devices';
import { ClientAddress, CurrentClient } from './account-guard';
import { AccountRoutes } from './account-routes';
import { SignUp } from '../accounts/sign-up';

@AccountRoutes('account/v1')
export class SignUpController {
  constructor(private readonly accounts: SignUp) {}

  @Post('sign-up')
  @LimitedByAddress('sign-up')
  async signUp(
    @Body() body: SignUpBody,
    @CurrentClient() client: Client,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignUpResult> {
    const result = await this.accounts.signUp(body, client);
    void reply.status(result.status === 'created' ? 201 : 202);
    return result;
  }

  @Post('email-check/send')
  @LimitedByAddress('mail')
  @HttpCode(202)
  async sendCheck(@Body() { email }: EmailBody, @CurrentClient() client: Client): Promise<Done> {
    await this.accounts.sendCheck(email, client);
    return { success: true };
  }

  @Post('email-check/confirm')
  @LimitedByAddress('token')
  @HttpCode(200)
  async confirm(@Body() { token }: TokenBody, @ClientAddress() address: string): Promise<Done> {
    await this.accounts.confirm(token, address);
    return { success: true };
  }
}
