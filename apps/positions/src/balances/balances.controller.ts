import { Controller, Get, Param, Query } from '@nestjs/common';
import { WalletBalances, WalletBalancesQuery, walletInPath } from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { LimitedConcurrency } from '@plimsoll/service-kit';
import { SCANS, SHARED_SCANS } from '../scans/scans.service';
import { BalancesService } from './balances.service';

@Controller('v1/wallets')
export class BalancesController {
  constructor(private readonly balances: BalancesService) {}

  @Get(':address/balances')
  @LimitedConcurrency(SCANS, SHARED_SCANS)
  @Documented({
    operationId: 'listWalletBalances',
    tag: 'Wallets',
    summary: 'Token balances of a wallet',
    description:
      'The balances of a wallet at a block: the coin of each chain, the tokens that its markets lend or take as collateral, and those of `token`. Shares of ERC-4626 vaults among them have their assets. The wallet need not be watched. Supplies and debts in protocols are in GET /v1/positions, also those without a debt. No other token is read, and no value in USD is stated. `unknown` lists what could not be read. Each chain has 4 seconds.',
    path: { address: walletInPath() },
    responses: [{ status: 200, description: 'The balances of the wallet.', schema: WalletBalances }],
    errors: ['route_not_found'],
  })
  list(@Param('address') address: string, @Query() query: WalletBalancesQuery): Promise<WalletBalances> {
    return this.balances.of(address, query);
  }
}
