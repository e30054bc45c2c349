import {
  PageQuery,
  UnwatchedWallet,
  WatchWalletBody,
  WatchedWallet,
  WatchedWalletList,
  shownAddress,
} from '@plimsoll/contracts';
import type { Operations } from '../operation';
import { TIMESTAMP, WALLET } from './samples';

const WATCHED = { address: WALLET, enabled: true, createdAt: TIMESTAMP };

export const walletOperations: Operations = {
  'GET /v1/wallets': {
    operationId: 'listWallets',
    tag: 'Wallets',
    summary: 'Watched wallets',
    description: 'The wallets that the account watches, newest first.',
    query: PageQuery,
    responses: [
      {
        status: 200,
        description: 'A page of wallets.',
        schema: WatchedWalletList,
        example: { wallets: [WATCHED], count: 1, limit: 25, nextCursor: null },
      },
    ],
  },
  'POST /v1/wallets': {
    operationId: 'watchWallet',
    tag: 'Wallets',
    summary: 'Watch a wallet',
    description:
      'From now on, alerts, webhooks and streams include this wallet. Its positions are read immediately, then at every block that changes them. Watching a wallet again has no effect.',
    body: WatchWalletBody,
    bodyExample: { address: WALLET },
    responses: [
      { status: 201, description: 'It is watched now.', schema: WatchedWallet, example: WATCHED },
      { status: 200, description: 'It was already watched.', schema: WatchedWallet, example: WATCHED },
    ],
    errors: ['quota_reached'],
    idempotent: true,
  },
  'DELETE /v1/wallets/:address': {
    operationId: 'unwatchWallet',
    tag: 'Wallets',
    summary: 'Stop watching a wallet',
    description: 'Its active alerts resolve, and it causes no further events.',
    path: { address: shownAddress('Address of the wallet, in lower case or with its checksum.') },
    responses: [
      {
        status: 200,
        description: 'It is no longer watched.',
        schema: UnwatchedWallet,
        example: { success: true, deleted: WALLET },
      },
    ],
    errors: ['not_found'],
  },
};
