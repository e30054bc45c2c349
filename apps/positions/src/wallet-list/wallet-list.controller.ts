import { Controller, Get, Query } from '@nestjs/common';
import { type Identity, ListWalletsQuery, WatchedWalletList } from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { CurrentIdentity } from '@plimsoll/service-kit';
import { WalletListService } from './wallet-list.service';

@Controller('v1/wallets')
export class WalletListController {
  constructor(private readonly wallets: WalletListService) {}

  @Get()
  @Documented({
    operationId: 'listWallets',
    tag: 'Wallets',
    summary: 'Watched wallets',
    description:
      'The wallets that the account watches, newest first, each with its lowest health factor, its net worth and its active alerts. The figures are those of GET /v1/positions. `unreadable` names what could not be read, and figures leave it out.',
    responses: [{ status: 200, description: 'A page of wallets.', schema: WatchedWalletList }],
  })
  list(@CurrentIdentity() identity: Identity, @Query() query: ListWalletsQuery): Promise<WatchedWalletList> {
    return this.wallets.list(identity, query);
  }
}
