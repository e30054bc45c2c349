import {
  AlertList,
  AlertSettings,
  ChangeAlertSettingsBody,
  ListAlertsQuery,
  PROTOCOL_ID,
  UnwatchedProtocol,
  WatchedProtocol,
  WatchedProtocolList,
} from '@plimsoll/contracts';
import { Type } from '@sinclair/typebox';
import type { Operations } from '../operation';
import { ALERT_ID, POSITION_ID, TIMESTAMP } from './samples';

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
      'Active and resolved alerts on the watched wallets, newest first. health_factor_warning and liquidation_risk: at most one of them is active for a position, with its current severity, level and health factor; every time a health factor falls below 1 a new liquidation_risk opens, and the one before it resolves with resolveReason escalated. price_move: the market price of an asset that a watched position has as collateral or owes is 10 % away from its highest or lowest within an hour (severity medium; high from 20 %, as a new alert), until it is less than 7.5 %. oracle_stale: there is no fresh market price of such an asset. Both are one alert for each asset, with positionId null; neither opens again within five minutes unless it is worse.',
    query: ListAlertsQuery,
    answers: [
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
              title: 'Health factor 1.2375',
              message: 'The health factor of the aave-v3 position on chain 1 fell to 1.2375.',
              status: 'active',
              positionId: POSITION_ID,
              createdAt: TIMESTAMP,
              resolvedAt: null,
              level: 'high',
              healthFactor: 1.2375,
              updatedAt: TIMESTAMP,
              revision: 1,
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
    summary: 'Settings of the alerts',
    description: 'What the account set, or the defaults.',
    answers: [{ status: 200, description: 'The settings.', schema: AlertSettings, example: SETTINGS }],
  },
  'PATCH /v1/alerts/settings': {
    operationId: 'changeAlertSettings',
    tag: 'Alerts',
    summary: 'Change the settings of the alerts',
    description:
      'Changes the fields that are given. Raising minUsd resolves open alerts on positions that are now too small (resolveReason dust); lowering it opens alerts on positions that are large enough now. A position without a value in USD is never too small.',
    body: ChangeAlertSettingsBody,
    bodyExample: { minUsd: 25 },
    answers: [{ status: 200, description: 'The settings now.', schema: AlertSettings, example: SETTINGS }],
  },
  'GET /v1/alerts/protocols': {
    operationId: 'listWatchedProtocols',
    tag: 'Alerts',
    summary: 'Protocols watched for moves of whales',
    description:
      'The protocols that the account watches, newest first. Wallets are watched under /v1/wallets; a move of one of them is told in any protocol.',
    answers: [
      {
        status: 200,
        description: 'All of them.',
        schema: WatchedProtocolList,
        example: { protocols: [WATCHED], count: 1, limit: 50 },
      },
    ],
  },
  'PUT /v1/alerts/protocols/:protocol': {
    operationId: 'watchProtocol',
    tag: 'Alerts',
    summary: 'Watch a protocol for moves of whales',
    description:
      'From the answer on, every move of a whale in it is told by an alert of type whale_move (severity medium), one for the protocol and chain at a time. Watching it again changes nothing.',
    path: { protocol: PROTOCOL },
    answers: [{ status: 200, description: 'It is watched.', schema: WatchedProtocol, example: WATCHED }],
    errors: ['quota_reached', 'route_not_found'],
  },
  'DELETE /v1/alerts/protocols/:protocol': {
    operationId: 'unwatchProtocol',
    tag: 'Alerts',
    summary: 'Stop watching a protocol',
    description: 'No further alert is opened about it. One that stands ends by its time.',
    path: { protocol: PROTOCOL },
    answers: [
      {
        status: 200,
        description: 'It is watched no more.',
        schema: UnwatchedProtocol,
        example: { success: true, deleted: 'aave-v3' },
      },
    ],
    errors: ['not_found'],
  },
};
