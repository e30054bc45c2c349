import {
  type AlertContent,
  AlertList,
  AlertSettings,
  ChangeAlertSettingsBody,
  ListAlertsQuery,
  NO_ALERT_CONTENT,
  PROTOCOL_ID,
  UnwatchedProtocol,
  WatchedProtocol,
  WatchedProtocolList,
} from '@plimsoll/contracts';
import { Type } from '@sinclair/typebox';
import type { Operations } from '../operation';
import { ALERT_ID, POSITION_ID, TIMESTAMP } from './samples';

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const PLACE = { protocol: 'aave-v3', chainId: 1, wallet: WALLET };
const CONTENT: AlertContent = {
  ...NO_ALERT_CONTENT,
  ...PLACE,
  protocolName: 'Aave V3',
  chainName: 'Ethereum',
  positionId: POSITION_ID,
  position: { id: POSITION_ID, healthFactor: 1.2375, collateralUsd: 7_500, debtUsd: 5_000, ...PLACE },
  healthFactor: { before: 1.3378, now: 1.2375, threshold: 1.25 },
  liquidationPrice: { asset: 'WETH', priceUsd: 2_424.24, currentPriceUsd: 3_000, distancePercent: 19.19 },
  liquidationPriceReason: null,
  cause: { kind: 'price', asset: 'WETH', changePercent: -7.5, fromUsd: 3_243.24, toUsd: 3_000 },
  usdAtStake: 5_000,
  targetHealthFactor: 1.5,
  remedies: [
    {
      action: 'repay',
      asset: 'USDC',
      address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      amountRaw: '875000002',
      decimals: 6,
      amount: 875.000002,
      usd: 875.000002,
    },
    {
      action: 'add_collateral',
      asset: 'WETH',
      address: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
      amountRaw: '530303030303030305',
      decimals: 18,
      amount: 0.5303030303030303,
      usd: 1_590.909090909091,
    },
  ],
  remediesReason: null,
  confidenceBasis: {
    blocksBehind: 0,
    ageFactor: 1,
    sources: 1,
    spreadPercent: null,
    spreadFactor: 0.9,
    text: '0 blocks behind (factor 1); one price source, the oracle of the protocol (factor 0.9).',
  },
};
const SETTINGS = { minUsd: 10, targetHealthFactor: 1.5 };
const WATCHED = { protocol: 'aave-v3', createdAt: TIMESTAMP };
const PROTOCOL = Type.String({
  description: 'Protocol id, as in GET /v1/protocols.',
  pattern: PROTOCOL_ID.source,
  examples: ['aave-v3'],
});

export const alertOperations: Operations = {
  'GET /v1/alerts': {
    operationId: 'listAlerts',
    tag: 'Alerts',
    summary: 'Alerts of the account',
    description:
      'Active and resolved alerts on the watched wallets, newest first. health_factor_warning and liquidation_risk: at most one of them is active per position, with its current severity, level and health factor. Every fall of a health factor below 1 opens a new liquidation_risk, and the previous alert resolves with resolveReason escalated. price_move: the market price of an asset that a watched position supplies or owes differs by 10 % from its highest or lowest within an hour (severity medium; from 20 % a new alert with severity high). It resolves below 7.5 %. oracle_stale: such an asset has no fresh market price. Both open one alert per asset, with positionId null. Neither opens again within five minutes unless it is worse.',
    query: ListAlertsQuery,
    responses: [
      {
        status: 200,
        description: 'A page of alerts.',
        schema: AlertList,
        example: {
          alerts: [
            {
              id: ALERT_ID,
              type: 'health_factor_warning',
              severity: 'high',
              title: 'Health factor 1.2375 in Aave V3 on Ethereum',
              message:
                'A 7.5 % fall of the WETH price to $3,000.00 lowered the health factor of wallet 0x7099…79C8 from 1.3378. Liquidation starts when WETH falls another 19.2 %, to $2,424.24; $5,000.00 is at stake. To return to 1.5, repay 875.00 USDC or add 0.5304 WETH.',
              status: 'active',
              createdAt: TIMESTAMP,
              resolvedAt: null,
              level: 'high',
              updatedAt: TIMESTAMP,
              revision: 1,
              ...CONTENT,
              groupId: null,
              confidenceScore: 0.9,
            },
          ],
          nextCursor: null,
        },
      },
    ],
  },
  'GET /v1/alerts/settings': {
    operationId: 'readAlertSettings',
    tag: 'Alerts',
    summary: 'Alert settings',
    description: 'The account’s settings, or the defaults.',
    responses: [{ status: 200, description: 'The settings.', schema: AlertSettings, example: SETTINGS }],
  },
  'PATCH /v1/alerts/settings': {
    operationId: 'changeAlertSettings',
    tag: 'Alerts',
    summary: 'Change the alert settings',
    description:
      'Changes the given fields. A higher minUsd resolves open alerts on positions that are now too small (resolveReason dust). A lower one opens alerts on positions that are now large enough. A position without a USD value is never too small.',
    body: ChangeAlertSettingsBody,
    bodyExample: { minUsd: 25 },
    responses: [
      { status: 200, description: 'The current settings.', schema: AlertSettings, example: SETTINGS },
    ],
  },
  'GET /v1/alerts/protocols': {
    operationId: 'listWatchedProtocols',
    tag: 'Alerts',
    summary: 'Protocols watched for whale activity',
    description:
      'The protocols that the account watches, newest first. Wallets are watched under /v1/wallets. A move of a watched wallet opens an alert in any protocol.',
    responses: [
      {
        status: 200,
        description: 'All watched protocols.',
        schema: WatchedProtocolList,
        example: { protocols: [WATCHED], count: 1, limit: 50 },
      },
    ],
  },
  'PUT /v1/alerts/protocols/:protocol': {
    operationId: 'watchProtocol',
    tag: 'Alerts',
    summary: 'Watch a protocol for whale activity',
    description:
      'From now on every whale move in it is reported by an alert of type whale_move (severity medium), one for the protocol and chain at a time. Watching it again has no effect.',
    path: { protocol: PROTOCOL },
    responses: [{ status: 200, description: 'It is watched.', schema: WatchedProtocol, example: WATCHED }],
    errors: ['quota_reached', 'route_not_found'],
  },
  'DELETE /v1/alerts/protocols/:protocol': {
    operationId: 'unwatchProtocol',
    tag: 'Alerts',
    summary: 'Stop watching a protocol',
    description: 'No further alert opens about it. An active alert expires normally.',
    path: { protocol: PROTOCOL },
    responses: [
      {
        status: 200,
        description: 'It is no longer watched.',
        schema: UnwatchedProtocol,
        example: { success: true, deleted: 'aave-v3' },
      },
    ],
    errors: ['not_found'],
  },
};
