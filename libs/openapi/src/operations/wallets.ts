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
    answers: [
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
      'From the answer on, alerts, webhooks and streams are about this wallet too. Its positions are read at once, then at every block that changes them. Watching a wallet again changes nothing.',
    body: WatchWalletBody,
    bodyExample: { address: WALLET },
    answers: [
      { status: 201, description: 'It is watched from now on.', schema: WatchedWallet, example: WATCHED },
      { status: 200, description: 'It was watched already.', schema: WatchedWallet, example: WATCHED },
    ],
    errors: ['quota_reached'],
    idempotent: true,
  },
  'DELETE /v1/wallets/:address': {
    operationId: 'unwatchWallet',
    tag: 'Wallets',
    summary: 'Stop watching a wallet',
    description: 'Its active alerts are resolved, and nothing more is sent about it.',
    path: { address: shownAddress('Address of the wallet, in lower case or with its checksum.') },
    answers: [
      {
        status: 200,
        description: 'It is watched no more.',
        schema: UnwatchedWallet,
        example: { success: true, deleted: WALLET },
      },
    ],
    errors: ['not_found'],
  },
};
