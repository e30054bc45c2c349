import { Controller, Get, Param, Query } from '@nestjs/common';
import {
  type Identity,
  NetWorthHistory,
  NetWorthHistoryQuery,
  recordId,
  walletInPath,
} from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { CurrentIdentity, LimitedConcurrency } from '@plimsoll/service-kit';
import { HistoryService } from './history.service';

const HISTORY = 'history';
/** Histories of many wallets that run in a process, so that they leave connections to Postgres for other requests. */
const SHARED = { total: 1 };

const BUCKETS =
  'Net worth at the end of each hour or day and the lowest health factor in it, from the snapshots that GET /v1/analytics/historical lists. Every bucket of the range is in the list, newest first. A bucket without all its figures states its `gap`. A history begins when the account begins to watch.';
const MANY =
  'A page has fewer buckets than `limit` when there are many wallets: 50,000 hours of wallets at most.';
const RESPONSES = [{ status: 200, description: 'A page of buckets.', schema: NetWorthHistory }];

@Controller('v1')
export class HistoryController {
  constructor(private readonly history: HistoryService) {}

  @Get('positions/:id/history')
  @Documented({
    operationId: 'listPositionHistory',
    tag: 'Positions',
    summary: 'History of a position',
    description: `${BUCKETS} A position of a wallet that is not watched is a 404.`,
    path: { id: recordId('pos', 'Id of the position.') },
    responses: RESPONSES,
    errors: ['not_found', 'tier_limit_exceeded'],
  })
  ofPosition(
    @CurrentIdentity() identity: Identity,
    @Param('id') id: string,
    @Query() query: NetWorthHistoryQuery,
  ): Promise<NetWorthHistory> {
    return this.history.ofPosition(identity, id, query);
  }

  @Get('wallets/:address/history')
  @Documented({
    operationId: 'listWalletHistory',
    tag: 'Wallets',
    summary: 'History of a wallet',
    description: `${BUCKETS} A wallet that is not watched is a 404.`,
    path: { address: walletInPath() },
    responses: RESPONSES,
    errors: ['not_found', 'tier_limit_exceeded'],
  })
  ofWallet(
    @CurrentIdentity() identity: Identity,
    @Param('address') address: string,
    @Query() query: NetWorthHistoryQuery,
  ): Promise<NetWorthHistory> {
    return this.history.ofWallet(identity, address, query);
  }

  @Get('wallet-groups/:id/history')
  @LimitedConcurrency(HISTORY, SHARED)
  @Documented({
    operationId: 'listWalletGroupHistory',
    tag: 'Wallets',
    summary: 'History of a wallet group',
    description: `${BUCKETS} The wallets are those that are in the group now. ${MANY}`,
    path: { id: recordId('wgr', 'Id of the wallet group.') },
    responses: RESPONSES,
    errors: ['not_found', 'tier_limit_exceeded'],
  })
  ofGroup(
    @CurrentIdentity() identity: Identity,
    @Param('id') id: string,
    @Query() query: NetWorthHistoryQuery,
  ): Promise<NetWorthHistory> {
    return this.history.ofGroup(identity, id, query);
  }

  @Get('analytics/history')
  @LimitedConcurrency(HISTORY, SHARED)
  @Documented({
    operationId: 'listAccountHistory',
    tag: 'Analytics',
    summary: 'History of all watched wallets',
    description: `${BUCKETS} ${MANY}`,
    responses: RESPONSES,
    errors: ['tier_limit_exceeded'],
  })
  ofAccount(
    @CurrentIdentity() identity: Identity,
    @Query() query: NetWorthHistoryQuery,
  ): Promise<NetWorthHistory> {
    return this.history.ofAccount(identity, query);
  }
}
