import { Body, HttpCode, Post, Res } from '@nestjs/common';
import { Done, EmailBody, SignUpBody, SignUpResult, TokenBody } from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
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
  @Documented({
    operationId: 'signUp',
    tag: 'Account',
    summary: 'Create an account',
    description:
      'Creates an account of the open tier. Where the platform sends mails, the address must be confirmed before the first log-in. The response is the same whether or not the address had an account.',
    responses: [
      { status: 201, description: 'The account can log in.', schema: SignUpResult },
      {
        status: 202,
        description: 'A mail was sent to the address.',
        schema: SignUpResult,
        example: { status: 'check_email' },
      },
    ],
    errors: ['conflict'],
  })
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
  @Documented({
    operationId: 'sendEmailCheck',
    tag: 'Account',
    summary: 'Send the code that confirms an address again',
    description:
      'The new code replaces that of the newest sign-up. Nothing is sent where the platform sends no mails.',
    responses: [{ status: 202, description: 'The same for every address.', schema: Done }],
  })
  async sendCheck(@Body() { email }: EmailBody, @CurrentClient() client: Client): Promise<Done> {
    await this.accounts.sendCheck(email, client);
    return { success: true };
  }

  @Post('email-check/confirm')
  @LimitedByAddress('token')
  @HttpCode(200)
  @Documented({
    operationId: 'confirmEmail',
    tag: 'Account',
    summary: 'Confirm an address with the code of the mail',
    description: 'A code works once, for 24 hours. The password of its sign-up becomes that of the account.',
    responses: [{ status: 200, description: 'The account can log in.', schema: Done }],
  })
  async confirm(@Body() { token }: TokenBody, @ClientAddress() address: string): Promise<Done> {
    await this.accounts.confirm(token, address);
    return { success: true };
  }
}
