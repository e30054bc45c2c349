import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { VERIFICATIONS } from './protocols';
import { digits, nullable, oneOf, recordId, sha256, shownAddress, usd } from './schema-fields';

/** The cause of a changed health factor. */
export const ALERT_CAUSES = ['price', 'interest', 'position_change', 'parameter', 'depeg'] as const;
export type AlertCauseKind = (typeof ALERT_CAUSES)[number];

/** Why an alert has no remedies. */
export const REMEDIES_REASONS = [
  'no_position',
  'closed',
  'no_debt',
  'target_reached',
  'legs_unknown',
  'unpriced',
  'none_suffices',
] as const;
export type RemediesReason = (typeof REMEDIES_REASONS)[number];

/** Why an alert has no liquidation price. */
export const LIQUIDATION_PRICE_REASONS = [
  'no_position',
  'closed',
  'no_debt',
  'legs_unknown',
  'no_volatile_collateral',
  'unpriced',
  'not_reachable',
] as const;
export type LiquidationPriceReason = (typeof LIQUIDATION_PRICE_REASONS)[number];

const healthFactor = (description: string) => nullable(Type.Number({ minimum: 0 }), description);
const percent = (description: string) => Type.Number({ description: `${description} Percent.` });

/** Health factor of an alert. */
export const AlertHealthFactor = Type.Object({
  before: healthFactor('From the previous state. Null without a previous state or without debt.'),
  now: healthFactor('The value at the state of the alert. Null without debt.'),
  threshold: nullable(
    Type.Number({ minimum: 0 }),
    'The health factor below which this alert opens: 1, 1.1, 1.25 or the value of the rule. Null when another figure opens it.',
  ),
});

/** Where liquidation starts. */
export const AlertLiquidationPrice = Type.Object({
  asset: Type.String({
    description: 'The volatile collateral with the largest value. Without one, the largest volatile debt.',
  }),
  priceUsd: usd(
    'Price of one whole token at which the health factor is 1 while all other prices stay the same.',
  ),
  currentPriceUsd: usd("The protocol's own oracle price of one whole token."),
  distancePercent: percent(
    'Move of the price to that point, a fall for collateral and a rise for debt, in percent of the current price. Negative when the price is already beyond it.',
  ),
  direction: Type.Optional(
    oneOf(['fall', 'rise'] as const, {
      description:
        'fall: the price of a collateral. rise: the price of a debt. Absent in alerts of earlier releases, where it is a fall.',
    }),
  ),
});

/** Change behind an alert. */
export const AlertCause = Type.Object({
  kind: oneOf(ALERT_CAUSES, {
    description:
      'price: an oracle price moved. interest: debt grew faster than collateral. position_change: the owner changed an amount. parameter: the protocol changed a threshold. depeg: a market price left the oracle price or its target.',
  }),
  asset: nullable(Type.String(), 'The asset that moved. Null when no single asset did.'),
  changePercent: nullable(
    Type.Number(),
    'Change of the price (price, depeg), the amount (interest, position_change) or the threshold (parameter). Percent.',
  ),
  fromUsd: nullable(
    Type.Number(),
    'Price of one whole token before. For a depeg, the oracle price, or the target price in an alert of type depeg. USD.',
  ),
  toUsd: nullable(Type.Number(), 'Price of one whole token now. For a depeg, the market price. USD.'),
});
export type AlertCause = Static<typeof AlertCause>;

/** A way back to the target. */
export const AlertRemedy = Type.Object({
  action: oneOf(['repay', 'add_collateral'] as const, {
    description: 'repay: pay back debt from other funds. add_collateral: supply more.',
  }),
  asset: Type.String({ description: 'Symbol of the token.' }),
  address: shownAddress('The token.'),
  amountRaw: digits(
    'Raw units of the token, rounded up, plus the rounding of a protocol’s shares: 2 raw units, and 2 units of the eighth decimal for a deposit to a protocol of Compound v2. The result is never below the target and less than 1e-6 above it, unless that rounding is worth more.',
  ),
  decimals: Type.Integer({ minimum: 0, description: 'Decimals of the token.' }),
  amount: Type.Number({ description: 'The same in whole tokens, as a double. amountRaw is exact.' }),
  usd: usd('Value of the amount at the oracle price.'),
});
export type AlertRemedy = Static<typeof AlertRemedy>;

/** A position with the asset of the alert. */
export const AffectedPosition = Type.Object({
  positionId: recordId('pos', 'Id of the position.'),
  wallet: shownAddress('Wallet of the position.'),
  walletLabel: Type.Optional(
    nullable(
      Type.String(),
      'Name that the account gave to the wallet. Null without one, absent in alerts of earlier releases.',
    ),
  ),
  protocol: Type.String({ description: 'Protocol id.' }),
  chainId: Type.Integer({ minimum: 1, description: 'Chain id (EIP-155).' }),
  healthFactor: Type.Object(
    {
      before: healthFactor(
        'At the price before the move: fromUsd of the cause. For parameter_change, today. Null without debt.',
      ),
      now: healthFactor(
        'At the market price now: toUsd of the cause. For parameter_change, after the change at the prices of today, and null when it cannot be computed. Null without debt.',
      ),
    },
    { description: 'Health factor before and after the move.' },
  ),
});
export type AffectedPosition = Static<typeof AffectedPosition>;

/** Factors of a confidence. */
export const ConfidenceBasis = Type.Object({
  blocksBehind: Type.Integer({
    minimum: 0,
    description: 'Blocks between the state of the alert and the newest known block of the chain.',
  }),
  ageFactor: Type.Number({ minimum: 0, maximum: 1, description: '1 − blocksBehind/20, at least 0.' }),
  sources: Type.Integer({
    minimum: 0,
    description: 'Price sources that are fresh and observed the price at about the same time.',
  }),
  spreadPercent: nullable(
    Type.Number({ minimum: 0 }),
    'Highest minus lowest price of these sources, in percent of their median. Null with fewer than two sources.',
  ),
  spreadFactor: Type.Number({
    minimum: 0,
    maximum: 1,
    description: '1 − spreadPercent/2, at least 0; 0.9 with fewer than two sources.',
  }),
  text: Type.String({ description: 'The same as text.' }),
});
export type ConfidenceBasis = Static<typeof ConfidenceBasis>;

/** The position of an alert. */
export const AlertPosition = Type.Object({
  id: recordId('pos', 'Id of the position.'),
  healthFactor: healthFactor('Health factor; null without debt.'),
  collateralUsd: usd('Everything supplied.'),
  debtUsd: usd('Everything owed.'),
  protocol: Type.String({ description: 'Protocol id.' }),
  chainId: Type.Integer({ minimum: 1, description: 'Chain id (EIP-155).' }),
  wallet: shownAddress('Wallet of the position.'),
  verification: Type.Optional(
    oneOf(VERIFICATIONS, {
      description:
        'Where the health factor comes from: contract (the contract stated it), recomputed (we computed it from values that the contract returned) or approximate. Absent for a closed position, and in alerts of earlier releases.',
    }),
  ),
});

/** A value of a protocol that governance sets. */
export const PARAMETERS = ['liquidation_threshold', 'max_ltv', 'oracle', 'supply_cap', 'borrow_cap'] as const;
export type ParameterName = (typeof PARAMETERS)[number];

/** A cap of any amount, in place of a number. */
export const NO_CAP = 'unlimited';

/** A value before and after a change. */
export const ParameterValue = Type.Object({
  parameter: oneOf(PARAMETERS, {
    description:
      'liquidation_threshold: the share of the collateral that counts against liquidation. max_ltv: the share that counts for new debt. oracle: the contract that states the price. supply_cap, borrow_cap: the most that the market takes or lends.',
  }),
  from: Type.String({
    description:
      'The value now. A share as a decimal (0.8 is 80 %), the address of an oracle, or a cap in raw units of the token (`unlimited` for none).',
  }),
  to: Type.String({ description: 'The value after the change, in the same form.' }),
});
export type ParameterValue = Static<typeof ParameterValue>;

/** A change that governance announced. */
export const ParameterChange = Type.Object({
  proposalId: Type.String({ description: 'Id of the announcement. Changes of one announcement share it.' }),
  source: shownAddress('The contract that announces the change, such as a timelock.'),
  values: Type.Array(ParameterValue, { description: 'The changes for the asset.' }),
  earliestAt: Type.String({
    format: 'date-time',
    description: 'The earliest time of the change. For a change in steps, the time at which it is complete.',
  }),
  expiresAt: nullable(
    Type.String({ format: 'date-time' }),
    'After this time the change can no longer be made. Null when it needs no further transaction.',
  ),
  isGradual: Type.Boolean({
    description: 'Whether the value already moves with each block until earliestAt.',
  }),
});
export type ParameterChange = Static<typeof ParameterChange>;

/** Figures of an alert, with the same fields in REST, streams and webhooks. */
export const ALERT_CONTENT_FIELDS = {
  wallet: nullable(shownAddress('A wallet.'), 'Wallet of the position. Null without a position.'),
  walletLabel: nullable(
    Type.String(),
    'Name that the account gave to the wallet with POST /v1/wallets. Null without one.',
  ),
  protocol: nullable(Type.String(), 'Protocol id. Null without a protocol.'),
  protocolName: nullable(Type.String(), 'Display name of the protocol.'),
  chainId: nullable(Type.Integer({ minimum: 1 }), 'Chain id (EIP-155). Null without a chain.'),
  chainName: nullable(Type.String(), 'Display name of the chain.'),
  positionId: nullable(
    recordId('pos', 'Id of a position.'),
    'Position of the alert. Null without a position.',
  ),
  position: nullable(AlertPosition, 'The position at the last change of the alert. Null without a position.'),
  healthFactor: nullable(AlertHealthFactor, 'Health factor of the position. Null without a position.'),
  liquidationPrice: nullable(AlertLiquidationPrice, 'Null for the reason in liquidationPriceReason.'),
  liquidationPriceReason: nullable(
    oneOf(LIQUIDATION_PRICE_REASONS),
    'Why there is no liquidation price. Null when there is one.',
  ),
  cause: nullable(AlertCause, 'Change since the previous state. Null without a previous state.'),
  usdAtStake: nullable(
    Type.Number({ minimum: 0 }),
    'The most that liquidators can take from the collateral to cover the debt, before their bonus: the smaller of counted collateral and debt. Null without a position. USD.',
  ),
  collateralDropPercent: nullable(
    Type.Number({ minimum: 0, maximum: 100 }),
    'Loss of value of an unchanged collateral within the last hour, by prices alone. Null without a position, and for alerts of earlier releases. Percent.',
  ),
  targetHealthFactor: nullable(
    Type.Number({ exclusiveMinimum: 1 }),
    'The health factor that each remedy reaches. Null without remedies.',
  ),
  remedies: Type.Array(AlertRemedy, {
    description:
      'Each remedy reaches targetHealthFactor on its own at the block of the alert. Later interest is not included.',
  }),
  remediesReason: nullable(oneOf(REMEDIES_REASONS), 'Why there are no remedies. Null when there are some.'),
  affectedPositions: Type.Array(AffectedPosition, {
    description:
      'For price_move and depeg: the account’s positions with the asset, at most 100, the lowest health factor first. For oracle_deviation and parameter_change: the position of the alert.',
    maxItems: 100,
  }),
  affectedTotal: Type.Integer({ minimum: 0, description: 'Number of all affected positions.' }),
  confidenceBasis: nullable(
    ConfidenceBasis,
    'Factors of confidenceScore. Null in alerts of earlier releases.',
  ),
  receiptHash: nullable(
    sha256('Hash of the receipt.'),
    'Hash of the receipt that proves the health factor before and after the change of level behind this alert: GET /v1/receipts/:hash. Null for alerts with another cause, and in alerts of earlier releases.',
  ),
  parameterChange: nullable(
    ParameterChange,
    'The announced change of a parameter_change. Null for other types, and in alerts of earlier releases.',
  ),
} as const satisfies Record<string, TSchema>;

/** Figures of an alert at its last change. */
export const AlertContent = Type.Object(ALERT_CONTENT_FIELDS);
export type AlertContent = Static<typeof AlertContent>;

/** The same content in alert.v1. */
export const AlertContentV1 = Type.Object({
  ...ALERT_CONTENT_FIELDS,
  /** Absent in events of earlier releases. */
  collateralDropPercent: Type.Optional(ALERT_CONTENT_FIELDS.collateralDropPercent),
  /** Absent in events of earlier releases. */
  receiptHash: Type.Optional(ALERT_CONTENT_FIELDS.receiptHash),
  /** Absent in events of earlier releases. */
  parameterChange: Type.Optional(ALERT_CONTENT_FIELDS.parameterChange),
});

/** Content of an alert without figures: one of an earlier release, or one without a position. */
export const NO_ALERT_CONTENT: AlertContent = {
  wallet: null,
  walletLabel: null,
  protocol: null,
  protocolName: null,
  chainId: null,
  chainName: null,
  positionId: null,
  position: null,
  healthFactor: null,
  liquidationPrice: null,
  liquidationPriceReason: 'no_position',
  cause: null,
  usdAtStake: null,
  collateralDropPercent: null,
  targetHealthFactor: null,
  remedies: [],
  remediesReason: 'no_position',
  affectedPositions: [],
  affectedTotal: 0,
  confidenceBasis: null,
  receiptHash: null,
  parameterChange: null,
};

/** The group notification that lists an alert with others of the same cause. */
export const groupId = nullable(
  recordId('grp', 'Id of the group.'),
  'The group whose alert.group lists this alert with others of the same cause. Null when there is no group, or not yet.',
);
