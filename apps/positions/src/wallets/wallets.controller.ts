import { Body, Controller, Delete, Get, Param, Post, Query, Res } from '@nestjs/common';
import {
  type Identity,
  PageQuery,
  type UnwatchedWallet,
  WatchWalletBody,
  type WatchedWallet,
  type WatchedWalletList,
} from '@plimsoll/contracts';
import { CurrentIdentity } from '@plimsoll/service-kit';
import type { FastifyReply } from 'fastify';
import { WalletsService } from './wallets.service';

@Controller('v1/wallets')
export class WalletsController {
  constructor(private readonly wallets: WalletsService) {}

  @Get()
  list(@CurrentIdentity() identity: Identity, @Query() page: PageQuery): Promise<WatchedWalletList> {
    return this.wallets.list(identity, page);
  }

  @Post()
  async watch(
    @CurrentIdentity() identity: Identity,
    @Body() { address }: WatchWalletBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WatchedWallet> {
    const { wallet, isNew } = await this.wallets.watch(identity, address);
    void reply.status(isNew ? 201 : 200);
    return wallet;
  }

  @Delete(':address')
  async unwatch(
    @CurrentIdentity() identity: Identity,
    @Param('address') address: string,
  ): Promise<UnwatchedWallet> {
    return { success: true, deleted: await this.wallets.unwatch(identity, address) };
  }
}
