import { Body, Headers, HttpCode, Post, UseGuards } from '@nestjs/common';
import {
  CreatedKey,
  DeviceCodeBody,
  DeviceCodes,
  DeviceRequest,
  DeviceTokenBody,
  Done,
  type Scope,
  UserCodeBody,
} from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { GatewayConfig } from '../../config';
import { CODE_LIFE_SECONDS, DeviceLogIn, POLL_INTERVAL_SECONDS } from '../accounts/device-log-in';
import type { Client } from '../accounts/devices';
import type { Actor } from '../audit/audit-entry';
import { toKeyItem } from '../keys/stored-key';
import { newKeyMail } from '../mail/mail-texts';
import { Mailer } from '../mail/mailer';
import { ownOrigin } from '../sessions/browser-session';
import type { Session } from '../sessions/sessions';
import { LimitedByAddress } from './account-door';
import { CurrentClient, CurrentSession, SessionActor } from './account-guard';
import { AccountRoutes } from './account-routes';
import { RecentLogInGuard, SessionGuard } from './session.guard';

@AccountRoutes('account/v1/device')
export class DeviceController {
  constructor(
    private readonly devices: DeviceLogIn,
    private readonly mailer: Mailer,
    private readonly config: GatewayConfig,
  ) {}

  @Post('code')
  @LimitedByAddress('device-code')
  @HttpCode(200)
  @Documented({
    operationId: 'requestDeviceCode',
    tag: 'Account',
    summary: 'Start the log-in of a program',
    description:
      'For a program that has no browser (RFC 8628). It shows userCode and verificationUri to the user, and requests the key at `/account/v1/device/token`. Both codes expire after ten minutes.',
    responses: [{ status: 200, description: 'The codes.', schema: DeviceCodes }],
  })
  async code(
    @Body() body: DeviceCodeBody,
    @CurrentClient() client: Client,
    @Headers('host') host: string | undefined,
  ): Promise<DeviceCodes> {
    const { deviceCode, userCode } = await this.devices.issue(body, client);
    const verificationUri = `${ownOrigin(this.config.PUBLIC_URL, host)}/docs/device`;
    return {
      deviceCode,
      userCode,
      verificationUri,
      // Servers and proxies do not see a fragment.
      verificationUriComplete: `${verificationUri}#${userCode}`,
      expiresInSeconds: CODE_LIFE_SECONDS,
      intervalSeconds: POLL_INTERVAL_SECONDS,
    };
  }

  @Post('token')
  @LimitedByAddress('device-token')
  @HttpCode(200)
  @Documented({
    operationId: 'redeemDeviceCode',
    tag: 'Account',
    summary: 'Exchange a device code for an API key',
    description:
      'Responds with `authorization_pending` until the user decides, and with `slow_down` to a program whose request comes before the interval has passed. The key is shown once, and expires after 90 days.',
    responses: [{ status: 200, description: 'The key.', schema: CreatedKey }],
    errors: ['authorization_pending', 'slow_down', 'access_denied', 'expired_token', 'quota_reached'],
  })
  async token(@Body() { deviceCode }: DeviceTokenBody, @CurrentClient() client: Client): Promise<CreatedKey> {
    const { key, email } = await this.devices.redeem(deviceCode, client);
    if (this.mailer.isEnabled) {
      const maker = `a program at ${client.address} with a device code that a session approved`;
      this.mailer.send(async () => newKeyMail(email, key.name, maker, this.config.PUBLIC_URL));
    }
    return { key: { ...toKeyItem(key, 'active'), key: key.key } };
  }

  @Post('show')
  @LimitedByAddress('user-code')
  @HttpCode(200)
  @UseGuards(SessionGuard)
  @Documented({
    operationId: 'showDeviceRequest',
    tag: 'Account',
    signedIn: true,
    summary: 'Show the request of a program',
    description: 'Shows the user what the program with this code requests.',
    responses: [{ status: 200, description: 'The request.', schema: DeviceRequest }],
    errors: ['not_found'],
  })
  async show(@CurrentSession() session: Session, @Body() { userCode }: UserCodeBody): Promise<DeviceRequest> {
    const found = await this.devices.find(userCode, session);
    return {
      request: {
        name: found.name,
        scopes: found.scopes as Scope[],
        address: found.address,
        userAgent: found.userAgent,
        createdAt: found.createdAt.toISOString(),
        expiresAt: found.expiresAt.toISOString(),
        keyExpiresAt: found.keyExpiresAt.toISOString(),
      },
    };
  }

  @Post('approve')
  @LimitedByAddress('user-code')
  @HttpCode(200)
  @UseGuards(SessionGuard, RecentLogInGuard)
  @Documented({
    operationId: 'approveDevice',
    tag: 'Account',
    signedIn: true,
    summary: 'Approve the request of a program',
    description:
      'The program receives an API key of this account. Approve only a code that you see on your device.',
    responses: [{ status: 200, description: 'The program may fetch its key.', schema: Done }],
    errors: ['not_found', 'recent_log_in_required'],
  })
  async approve(
    @CurrentSession() session: Session,
    @SessionActor() by: Actor,
    @Body() { userCode }: UserCodeBody,
  ): Promise<Done> {
    await this.devices.decide(userCode, 'approved', session, by);
    return { success: true };
  }

  @Post('deny')
  @LimitedByAddress('user-code')
  @HttpCode(200)
  @UseGuards(SessionGuard)
  @Documented({
    operationId: 'denyDevice',
    tag: 'Account',
    signedIn: true,
    summary: 'Deny the request of a program',
    description: 'The program gets `access_denied`, and receives no key.',
    responses: [{ status: 200, description: 'The request has ended.', schema: Done }],
    errors: ['not_found'],
  })
  async deny(
    @CurrentSession() session: Session,
    @SessionActor() by: Actor,
    @Body() { userCode }: UserCodeBody,
  ): Promise<Done> {
    await this.devices.decide(userCode, 'denied', session, by);
    return { success: true };
  }
}
