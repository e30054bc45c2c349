import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import {
  DeletedWalletGroup,
  type Identity,
  MOST_WALLET_GROUPS,
  OneWalletGroup,
  WalletGroupBody,
  WalletGroupList,
  notFound,
  recordId,
} from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { CurrentIdentity, CurrentRequest, Idempotency, type IdempotentRequest } from '@plimsoll/service-kit';
import { WalletGroupsRepository } from './wallet-groups.repository';

const GROUP = { id: recordId('wgr', 'Id of the wallet group.') };

@Controller('v1/wallet-groups')
export class WalletGroupsController {
  constructor(
    private readonly groups: WalletGroupsRepository,
    private readonly idempotency: Idempotency,
  ) {}

  @Get()
  @Documented({
    operationId: 'listWalletGroups',
    tag: 'Wallets',
    summary: 'Wallet groups',
    description:
      'The groups of watched wallets. `walletGroupId` filters GET /v1/wallets, GET /v1/positions and GET /v1/alerts by one, and `walletGroupIds` of a webhook endpoint its events.',
    responses: [{ status: 200, description: 'All groups.', schema: WalletGroupList }],
  })
  async list(@CurrentIdentity() { accountId }: Identity): Promise<WalletGroupList> {
    const walletGroups = await this.groups.list(accountId);
    return { walletGroups, count: walletGroups.length, limit: MOST_WALLET_GROUPS };
  }

  @Post()
  @Documented({
    operationId: 'createWalletGroup',
    tag: 'Wallets',
    summary: 'Create a wallet group',
    description:
      'The group is empty. PATCH /v1/wallets/:address or POST /v1/wallets adds wallets. 409 for the name of another group.',
    responses: [{ status: 201, description: 'The group.', schema: OneWalletGroup }],
    errors: ['quota_reached', 'conflict'],
    idempotent: true,
  })
  create(
    @CurrentIdentity() { accountId }: Identity,
    @CurrentRequest() call: IdempotentRequest,
    @Body() { name }: WalletGroupBody,
  ): Promise<OneWalletGroup> {
    return this.idempotency.respond(call, (commit) =>
      commit(async (tx) => ({
        status: 201,
        body: { walletGroup: await this.groups.create(tx, accountId, name) },
      })),
    );
  }

  @Patch(':id')
  @Documented({
    operationId: 'renameWalletGroup',
    tag: 'Wallets',
    summary: 'Rename a wallet group',
    description: 'Its wallets and its id stay. 409 for the name of another group.',
    path: GROUP,
    responses: [{ status: 200, description: 'The group.', schema: OneWalletGroup }],
    errors: ['not_found', 'conflict'],
  })
  async rename(
    @CurrentIdentity() { accountId }: Identity,
    @Param('id') id: string,
    @Body() { name }: WalletGroupBody,
  ): Promise<OneWalletGroup> {
    const walletGroup = await this.groups.rename(accountId, id, name);
    if (!walletGroup) throw notFound('wallet group');
    return { walletGroup };
  }

  @Delete(':id')
  @Documented({
    operationId: 'deleteWalletGroup',
    tag: 'Wallets',
    summary: 'Delete a wallet group',
    description:
      'Its wallets stay watched. A webhook endpoint that lists only deleted groups receives no events of wallets.',
    path: GROUP,
    responses: [{ status: 200, description: 'It is deleted.', schema: DeletedWalletGroup }],
    errors: ['not_found'],
  })
  async delete(
    @CurrentIdentity() { accountId }: Identity,
    @Param('id') id: string,
  ): Promise<DeletedWalletGroup> {
    if (!(await this.groups.delete(accountId, id))) throw notFound('wallet group');
    return { success: true, deleted: id };
  }
}
