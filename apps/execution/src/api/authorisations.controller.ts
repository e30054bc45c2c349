import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import {
  type Identity,
  Authorisation,
  AuthorisationList,
  CreateAuthorisationBody,
  CreatedAuthorisation,
  PageQuery,
  RevokedAuthorisation,
  checksumAddress,
  isId,
  notFound,
  recordId,
} from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import {
  Clock,
  CurrentIdentity,
  CurrentRequest,
  Idempotency,
  type IdempotentRequest,
  decodeCursor,
  pageOf,
} from '@plimsoll/service-kit';
import { problemOf } from '../planning/refusal';
import { Authorisations } from '../submission/authorisations';
import { type AuthorisationRow, AuthorisationsRepository } from '../submission/authorisations.repository';

@Controller('v1/execution/authorisations')
export class AuthorisationsController {
  constructor(
    private readonly authorisations: Authorisations,
    private readonly repository: AuthorisationsRepository,
    private readonly idempotency: Idempotency,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Documented({
    operationId: 'listAuthorisations',
    tag: 'Execution',
    summary: 'Authorisations by wallets',
    description:
      'The wallets that authorised this account to run executions for them, newest first. A revoked authorisation is not listed.',
    responses: [{ status: 200, description: 'A page of authorisations.', schema: AuthorisationList }],
  })
  async list(
    @CurrentIdentity() { accountId }: Identity,
    @Query() { limit, cursor }: PageQuery,
  ): Promise<AuthorisationList> {
    const [atMs, id] = decodeCursor(cursor, ['number', 'string']) ?? [];
    const before = atMs === undefined ? null : ([Number(atMs), String(id)] as [number, string]);
    const found = await this.repository.list(accountId, before, limit + 1);
    const { items, nextCursor } = pageOf(found, limit, (last) => [last.createdAt.getTime(), last.id]);
    return { authorisations: items.map((row) => this.shown(row)), count: items.length, nextCursor };
  }

  @Post()
  @Documented({
    operationId: 'createAuthorisation',
    tag: 'Execution',
    summary: 'Authorise the account by a wallet',
    description:
      'The wallet signs (EIP-191; a contract wallet by ERC-1271) the text “Plimsoll: {account id} may run executions for {wallet with its EIP-55 checksum} on chain {chainId} until {expiresAt in UTC with milliseconds}. Nonce: {nonce}.” The authorisation replaces the previous one of the wallet for this account. A nonce of a wallet works once, also after its authorisation was revoked. submit and rules need an authorisation that is valid when the run is signed, and a policy on chain.',
    responses: [{ status: 201, description: 'The authorisation.', schema: CreatedAuthorisation }],
    errors: ['unsupported_execution', 'execution_refused', 'conflict'],
    idempotent: true,
  })
  async create(
    @CurrentIdentity() identity: Identity,
    @CurrentRequest() call: IdempotentRequest,
    @Body() body: CreateAuthorisationBody,
  ): Promise<CreatedAuthorisation> {
    try {
      return await this.idempotency.respond(call, (commit) =>
        this.authorisations.create(identity, body, (row) => ({ authorisation: this.shown(row) }), commit),
      );
    } catch (error) {
      throw problemOf(error);
    }
  }

  @Delete(':id')
  @Documented({
    operationId: 'revokeAuthorisation',
    tag: 'Execution',
    summary: 'Revoke an authorisation',
    description:
      'No execution for the wallet begins after that. A run that was signed before is followed to its end.',
    path: { id: recordId('aut', 'Id of the authorisation.') },
    responses: [{ status: 200, description: 'It is revoked.', schema: RevokedAuthorisation }],
    errors: ['not_found'],
  })
  async revoke(
    @CurrentIdentity() identity: Identity,
    @Param('id') id: string,
  ): Promise<RevokedAuthorisation> {
    if (!isId('aut', id)) throw notFound('authorisation');
    await this.authorisations.revoke(identity, id);
    return { success: true, deleted: id };
  }

  private shown({ id, chainId, wallet, nonce, createdAt, expiresAt }: AuthorisationRow): Authorisation {
    return {
      id,
      chainId,
      wallet: checksumAddress(wallet),
      nonce: nonce === '' ? null : nonce,
      status: expiresAt.getTime() > this.clock.now() ? 'active' : 'expired',
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    };
  }
}
