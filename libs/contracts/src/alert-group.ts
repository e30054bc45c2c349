import { type Static, Type } from '@sinclair/typebox';
import { ALERT_TYPES, SEVERITIES } from './alerts';
import { nullable, oneOf, recordId, shownAddress, timestamp } from './schema-fields';

/** Most rows that a group notification lists. */
export const GROUP_ROWS = 100;

const rowFields = {
  alertId: recordId('alt', 'Id of the alert.'),
  type: oneOf(ALERT_TYPES, { description: 'Type of the alert.' }),
  title: Type.String({ description: 'One line of text.' }),
  positionId: nullable(
    recordId('pos', 'Id of a position.'),
    'Position of the alert. Null without a position.',
  ),
  asset: nullable(Type.String(), 'Asset whose price moved. Null for other alerts.'),
  wallet: nullable(shownAddress('A wallet.'), 'Wallet of the position.'),
  walletLabel: Type.Optional(
    nullable(
      Type.String(),
      'Name that the account gave to the wallet. Null without one, absent in groups of earlier releases.',
    ),
  ),
  protocolName: nullable(Type.String(), 'Display name of the protocol.'),
  chainName: nullable(Type.String(), 'Display name of the chain.'),
  healthFactor: nullable(
    Type.Number({ minimum: 0 }),
    'Health factor of the position. Null without a position or without debt.',
  ),
  usdAtStake: nullable(Type.Number({ minimum: 0 }), 'As in the alert. USD.'),
};

export const AlertGroupRow = Type.Object({
  ...rowFields,
  severity: oneOf(SEVERITIES, { description: 'From mildest to worst: info, low, medium, high, critical.' }),
});
export type AlertGroupRow = Static<typeof AlertGroupRow>;

/** The webhook form, with the severity as a number. */
export const WebhookAlertGroupRow = Type.Object({
  ...rowFields,
  severity: Type.Integer({ minimum: 1, maximum: 5, description: '1 (info) to 5 (critical).' }),
});

/** Cause of a group of alerts. */
export const AlertGroupCause = Type.Object(
  {
    kind: oneOf(['block', 'prices'] as const, {
      description:
        'block: alerts of one block of one chain; prices: market prices that moved within one second.',
    }),
    chainId: nullable(Type.Integer({ minimum: 1 }), 'Chain of the block. Null for prices.'),
    block: nullable(Type.Integer({ minimum: 0 }), 'Number of the block. Null for prices.'),
    at: timestamp('Time of the block, or the second in which the prices moved.'),
  },
  { description: 'The block, or the move of prices, that changed the alerts.' },
);
export type AlertGroupCause = Static<typeof AlertGroupCause>;

const groupFields = {
  groupId: recordId('grp', 'Id of the group. It is the same for the same account and cause.'),
  cause: AlertGroupCause,
  title: Type.String({ description: 'One line of text.' }),
  count: Type.Integer({ minimum: 2, description: 'Number of alerts that the cause opened or made worse.' }),
  truncated: Type.Integer({
    minimum: 0,
    description: 'Number of alerts that `alerts` and `table` omit. GET /v1/alerts lists them.',
  }),
  usdAtStake: Type.Number({ minimum: 0, description: 'Sum over all alerts, each position once. USD.' }),
  worstHealthFactor: nullable(
    Type.Number({ minimum: 0 }),
    'Lowest health factor of all alerts. Null without any.',
  ),
  table: Type.String({ description: 'The same alerts as a Markdown table, the lowest health factor first.' }),
};

/** Alerts of one account that one cause opened or made worse. */
export const AlertGroup = Type.Object({
  ...groupFields,
  alerts: Type.Array(AlertGroupRow, { maxItems: GROUP_ROWS, description: 'The lowest health factor first.' }),
});
export type AlertGroup = Static<typeof AlertGroup>;

/** The webhook form, with the severity as a number. */
export const WebhookAlertGroup = Type.Object({
  ...groupFields,
  alerts: Type.Array(WebhookAlertGroupRow, {
    maxItems: GROUP_ROWS,
    description: 'The lowest health factor first.',
  }),
});
