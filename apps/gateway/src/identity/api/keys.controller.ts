import { Body, Delete, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import {
  CreateKeyBody,
  CreatedKey,
  KeyList,
  PageQuery,
  RevokedKey,
  RotateKeyBody,
  RotatedKey,
  SCOPES,
  type Tier,
  invalidRequest,
  isId,
  notFound,
  recordId,
} from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { GatewayConfig } from '../../config';
import type { Actor } from '../audit/audit-entry';
import { AccountChangePublisher } from '../changes/account-change-publisher';
import { CurrentSession, SessionActor } from './account-guard';
import { AccountRoutes } from './account-routes';
import { RecentLogInGuard, SessionGuard } from './session.guard';
import { newKeyMail } from '../mail/mail-texts';
import { Mailer } from '../mail/mailer';
import type { Session } from '../sessions/sessions';
import { AccountKeys } from '../keys/account-keys';
import { toKeyItem } from '../keys/stored-key';
import { KeyListing } from '../keys/key-list';

const path = { id: recordId('key', 'Id of the key.') };

@AccountRoutes('account/v1/keys', SessionGuard)
export class KeysController {
  constructor(
    private readonly keys: AccountKeys,
    private readonly listing: KeyListing,
    private readonly announcer: AccountChangePublisher,
    private readonly mailer: Mailer,
    private readonly config: GatewayConfig,
  ) {}

  @Get()
  @Documented({
    operationId: 'listKeys',
    tag: 'Account',
    signedIn: true,
    summary: 'API keys',
    description: 'The keys of the account, newest first. No key can be shown again.',
    responses: [{ status: 200, description: 'A page of keys.', schema: KeyList }],
  })
  list(@CurrentSession() { accountId, account }: Session, @Query() page: PageQuery): Promise<KeyList> {
    return this.listing.list(accountId, account.tier as Tier, page);
  }

  @Post()
  @Documented({
    operationId: 'createKey',
    tag: 'Account',
    signedIn: true,
    summary: 'Create an API key',
    description: 'The response contains the key. It is shown only once. The key works immediately.',
    responses: [{ status: 201, description: 'The key.', schema: CreatedKey }],
    errors: ['quota_reached', 'recent_log_in_required'],
  })
  @UseGuards(RecentLogInGuard)
  async create(
    @CurrentSession() { accountId, account }: Session,
    @SessionActor() by: Actor,
    @Body() { name, scopes, expiresAt, testTier }: CreateKeyBody,
  ): Promise<CreatedKey> {
    const wanted = {
      name,
      scopes: scopes ?? SCOPES,
      expiresAt: futureTime(expiresAt),
      kind: 'live' as const,
      ...(testTier && { testTier }),
    };
    const made = await this.keys.create(accountId, wanted, by);
    this.mail(account.email, name, by);
    return { key: { ...toKeyItem(made, 'active'), key: made.key } };
  }

  @Post(':id/rotate')
  @HttpCode(201)
  @Documented({
    operationId: 'rotateKey',
    tag: 'Account',
    signedIn: true,
    summary: 'Replace an API key',
    description:
      'Creates a key with the name and scopes of this one, in its place under the cap of the tier. It has the lifetime of the old key. The old key works until the overlap ends. Another rotation of the new key ends the old one.',
    path,
    responses: [
      { status: 201, description: 'The new key, and the old one with its end.', schema: RotatedKey },
    ],
    errors: ['not_found', 'conflict', 'recent_log_in_required'],
  })
  @UseGuards(RecentLogInGuard)
  async rotate(
    @CurrentSession() { accountId, account }: Session,
    @SessionActor() by: Actor,
    @Param('id') id: string,
    @Body() { overlapHours }: RotateKeyBody,
  ): Promise<RotatedKey> {
    const name = { id: keyId(id), accountId };
    const { key, replaced } = await this.keys.rotate(name, overlapHours, by);
    this.announcer.announce(accountId);
    this.mail(account.email, key.name, by);
    const status = overlapHours === 0 ? 'expired' : 'active';
    return { key: { ...toKeyItem(key, 'active'), key: key.key }, replaced: toKeyItem(replaced, status) };
  }

  @Delete(':id')
  @Documented({
    operationId: 'revokeKey',
    tag: 'Account',
    signedIn: true,
    summary: 'Revoke an API key',
    description: 'It stops working within a second, permanently. Revoking it again has no effect.',
    path,
    responses: [{ status: 200, description: 'The key is revoked.', schema: RevokedKey }],
    errors: ['not_found'],
  })
  async revoke(
    @CurrentSession() { accountId }: Session,
    @SessionActor() by: Actor,
    @Param('id') id: string,
  ): Promise<RevokedKey> {
    await this.keys.revoke({ id: keyId(id), accountId }, by);
    this.announcer.announce(accountId);
    return { success: true, deleted: id };
  }

  private mail(email: string, name: string, { address }: Actor): void {
    if (!this.mailer.isEnabled) return;
    this.mailer.send(async () => newKeyMail(email, name, `a session at ${address}`, this.config.PUBLIC_URL));
  }
}

/** Text that cannot be an id needs no query. */
function keyId(id: string): string {
  if (isId('key', id)) return id;
  throw notFound('key');
}

function futureTime(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const at = new Date(text);
  if (at > new Date()) return at;
  const message = 'expiresAt must be in the future. Omit it for a key that never expires.';
  throw invalidRequest([{ field: 'expiresAt', code: 'in_the_past', message }]);
}
