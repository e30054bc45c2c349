import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import {
  type Identity,
  PageQuery,
  type UnwatchedWallet,
  WatchWalletBody,
  type WatchedWallet,
  type WatchedWalletList,
} from '@plimsoll/contracts';
import { CurrentRequest, CurrentIdentity, Idempotency, type IdempotentRequest } from '@plimsoll/service-kit';
import { WalletsService } from './wallets.service';

@Controller('v1/wallets')
export class WalletsController {
  constructor(
    private readonly wallets: WalletsService,
    private readonly idempotency: Idempotency,
  ) {}

  @Get()
  list(@CurrentIdentity() identity: Identity, @Query() page: PageQuery): Promise<WatchedWalletList> {
    return this.wallets.list(identity, page);
  }

  @Post()
  watch(
    @CurrentIdentity() identity: Identity,
    @CurrentRequest() call: IdempotentRequest,
    @Body() { address }: WatchWalletBody,
  ): Promise<WatchedWallet> {
    return this.idempotency.respond(call, (commit) => this.wallets.watch(identity, address, commit));
  }

  @Delete(':address')
  async unwatch(
    @CurrentIdentity() identity: Identity,
    @Param('address') address: string,
  ): Promise<UnwatchedWallet> {
    return { success: true, deleted: await this.wallets.unwatch(identity, address) };
  }
}
