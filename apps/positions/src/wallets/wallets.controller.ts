import { Body, Controller, Delete, Param, Patch, Post } from '@nestjs/common';
import {
  type Identity,
  UnwatchedWallet,
  UpdateWalletBody,
  WatchWalletBody,
  WatchedWallet,
  walletInPath,
} from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { CurrentRequest, CurrentIdentity, Idempotency, type IdempotentRequest } from '@plimsoll/service-kit';
import { WalletsService } from './wallets.service';

const WALLET = { address: walletInPath() };

@Controller('v1/wallets')
export class WalletsController {
  constructor(
    private readonly wallets: WalletsService,
    private readonly idempotency: Idempotency,
  ) {}

  @Post()
  @Documented({
    operationId: 'watchWallet',
    tag: 'Wallets',
    summary: 'Watch a wallet',
    description:
      'From now on, alerts, webhooks and streams include this wallet. Its positions are read immediately, then at every block that changes them. Watching a wallet again only changes its name and its groups, if the body has them.',
    responses: [
      { status: 201, description: 'It is watched now.', schema: WatchedWallet },
      { status: 200, description: 'It was already watched.', schema: WatchedWallet },
    ],
    errors: ['quota_reached'],
    idempotent: true,
  })
  watch(
    @CurrentIdentity() identity: Identity,
    @CurrentRequest() call: IdempotentRequest,
    @Body() body: WatchWalletBody,
  ): Promise<WatchedWallet> {
    return this.idempotency.respond(call, (commit) => this.wallets.watch(identity, body, commit));
  }

  @Patch(':address')
  @Documented({
    operationId: 'updateWallet',
    tag: 'Wallets',
    summary: 'Change the name and the groups of a wallet',
    description: 'Alerts have another name from their next change on.',
    path: WALLET,
    responses: [{ status: 200, description: 'The wallet.', schema: WatchedWallet }],
    errors: ['not_found'],
  })
  update(
    @CurrentIdentity() identity: Identity,
    @Param('address') address: string,
    @Body() body: UpdateWalletBody,
  ): Promise<WatchedWallet> {
    return this.wallets.update(identity, address, body);
  }

  @Delete(':address')
  @Documented({
    operationId: 'unwatchWallet',
    tag: 'Wallets',
    summary: 'Stop watching a wallet',
    description: 'Its active alerts resolve, and it causes no further events.',
    path: WALLET,
    responses: [{ status: 200, description: 'It is no longer watched.', schema: UnwatchedWallet }],
    errors: ['not_found'],
  })
  async unwatch(
    @CurrentIdentity() identity: Identity,
    @Param('address') address: string,
  ): Promise<UnwatchedWallet> {
    return { success: true, deleted: await this.wallets.unwatch(identity, address) };
  }
}
