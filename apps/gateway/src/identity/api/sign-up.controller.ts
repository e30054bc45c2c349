import { Body, HttpCode, Post, Res } from '@nestjs/common';
import { type Done, EmailBody, SignUpBody, type SignUpResult, TokenBody } from '@plimsoll/contracts';
import type { FastifyReply } from 'fastify';
import { LimitedByAddress } from './account-door';
import { ClientAddress } from './account-guard';
import { AccountRoutes } from './account-routes';
import { SignUp } from '../accounts/sign-up';

@AccountRoutes('account/v1')
export class SignUpController {
  constructor(private readonly accounts: SignUp) {}

  @Post('sign-up')
  @LimitedByAddress('sign-up')
  async signUp(
    @Body() body: SignUpBody,
    @ClientAddress() address: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignUpResult> {
    const result = await this.accounts.signUp(body, address);
    void reply.status(result.status === 'created' ? 201 : 202);
    return result;
  }

  @Post('email-check/send')
  @LimitedByAddress('mail')
  @HttpCode(202)
  async sendCheck(@Body() { email }: EmailBody, @ClientAddress() address: string): Promise<Done> {
    await this.accounts.sendCheck(email, address);
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
