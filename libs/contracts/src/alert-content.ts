import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { digits, nullable, oneOf, recordId, shownAddress, usd } from './rest/fields';

/** What changed a health factor. */
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

const HealthFactors = Type.Object({
  before: healthFactor('As of the state before; null when none is known, or without debt.'),
  now: healthFactor('As of the state that the alert is about; null without debt.'),
  threshold: nullable(
    Type.Number({ minimum: 0 }),
    'The health factor below which this alert opens: 1, 1.1, 1.25 or that of the rule; null for one that another figure opens.',
  ),
});

const LiquidationPrice = Type.Object({
  asset: Type.String({ description: 'The largest volatile collateral, by value.' }),
  priceUsd: usd(
    'Price of one whole token at which the health factor is 1 while all other prices stand still.',
  ),
  currentPriceUsd: usd("The protocol's own oracle price of one whole token."),
  distancePercent: percent(
    'How far the price has to fall to get there, of the current price; negative when it is below already.',
  ),
});

const Cause = Type.Object({
  kind: oneOf(ALERT_CAUSES, {
    description:
      'price: an oracle price moved; interest: debt grew faster than collateral; position_change: the owner changed an amount; parameter: the protocol changed a threshold; depeg: a market price left the oracle price.',
  }),
  asset: nullable(Type.String(), 'The asset that moved; null: none in particular.'),
  changePercent: nullable(
    Type.Number(),
    'Of the price (price, depeg), the amount (interest, position_change) or the threshold (parameter). Percent.',
  ),
  fromUsd: nullable(Type.Number(), 'Price of one whole token before; of a depeg, the oracle price. USD.'),
  toUsd: nullable(Type.Number(), 'Price of one whole token now; of a depeg, the market price. USD.'),
});
export type AlertCause = Static<typeof Cause>;

const Remedy = Type.Object({
  action: oneOf(['repay', 'add_collateral'] as const, {
    description: 'repay: pay back debt from outside; add_collateral: supply more.',
  }),
  asset: Type.String({ description: 'Symbol of the token.' }),
  address: shownAddress('The token.'),
  amountRaw: digits(
    'Raw units of the token, rounded up, with 2 more for what the shares of a protocol round off: it never ends below the target, and less than 1e-6 above it unless one raw unit is worth more than that.',
  ),
  decimals: Type.Integer({ minimum: 0, description: 'Decimals of the token.' }),
  amount: Type.Number({ description: 'The same in whole tokens, as a double; amountRaw is exact.' }),
  usd: usd('Value of the amount at the oracle price.'),
});
export type AlertRemedy = Static<typeof Remedy>;

const AffectedPosition = Type.Object({
  positionId: recordId('pos', 'Id of the position.'),
  wallet: shownAddress('Wallet that holds the position.'),
  protocol: Type.String({ description: 'Protocol id.' }),
  chainId: Type.Integer({ minimum: 1, description: 'Chain id (EIP-155).' }),
  healthFactor: Type.Object({
    before: healthFactor('At the market price before the move; null without debt.'),
    now: healthFactor('At the market price now; null without debt.'),
  }),
});
export type AffectedPosition = Static<typeof AffectedPosition>;

const ConfidenceBasis = Type.Object({
  blocksBehind: Type.Integer({
    minimum: 0,
    description: 'Blocks between the state that the alert is about and the newest block known of the chain.',
  }),
  ageFactor: Type.Number({ minimum: 0, maximum: 1, description: '1 − blocksBehind/20, at least 0.' }),
  sources: Type.Integer({
    minimum: 0,
    description: 'Price sources that count: fresh ones that saw the price at about the same time.',
  }),
  spreadPercent: nullable(
    Type.Number({ minimum: 0 }),
    'Highest less lowest price of these sources, of their median; null with fewer than two. Percent.',
  ),
  spreadFactor: Type.Number({
    minimum: 0,
    maximum: 1,
    description: '1 − spreadPercent/2, at least 0; 0.9 with fewer than two sources.',
  }),
  text: Type.String({ description: 'The same for people.' }),
});
export type ConfidenceBasis = Static<typeof ConfidenceBasis>;

/** Figures of an alert, with the same fields in REST, streams and webhooks. */
export const ALERT_CONTENT_FIELDS = {
  wallet: nullable(shownAddress('A wallet.'), 'Wallet that holds the position; null: it is about none.'),
  walletLabel: nullable(
    Type.String(),
    'Name that the account gave to the wallet; always null, because wallets cannot be named yet.',
  ),
  protocol: nullable(Type.String(), 'Protocol id; null: it is about none.'),
  protocolName: nullable(Type.String(), 'Name of the protocol for people.'),
  chainId: nullable(Type.Integer({ minimum: 1 }), 'Chain id (EIP-155); null: it is about none.'),
  chainName: nullable(Type.String(), 'Name of the chain for people.'),
  positionId: nullable(recordId('pos', 'Id of a position.'), 'The position it is about; null: about none.'),
  position: nullable(
    Type.Object({
      id: recordId('pos', 'Id of the position.'),
      healthFactor: healthFactor('Health factor; null without debt.'),
      collateralUsd: usd('Everything supplied.'),
      debtUsd: usd('Everything owed.'),
      protocol: Type.String({ description: 'Protocol id.' }),
      chainId: Type.Integer({ minimum: 1, description: 'Chain id (EIP-155).' }),
      wallet: shownAddress('Wallet that holds the position.'),
    }),
    'The position as it was when the alert last changed; null: it is about none.',
  ),
  healthFactor: nullable(HealthFactors, 'Of the position; null: it is about none.'),
  liquidationPrice: nullable(LiquidationPrice, 'Null: liquidationPriceReason says why.'),
  liquidationPriceReason: nullable(
    oneOf(LIQUIDATION_PRICE_REASONS),
    'Why there is no liquidation price; null when there is one.',
  ),
  cause: nullable(Cause, 'What changed since the state before; null: there is none to compare with.'),
  usdAtStake: nullable(
    Type.Number({ minimum: 0 }),
    'The most that liquidators can take out of the collateral to cover the debt, before their bonus: the smaller of the collateral that counts and the debt. Null: it is about no position. USD.',
  ),
  targetHealthFactor: nullable(
    Type.Number({ exclusiveMinimum: 1 }),
    'The health factor that each remedy reaches; null without remedies.',
  ),
  remedies: Type.Array(Remedy, {
    description:
      'Each alone reaches targetHealthFactor as of the block of the alert; later interest is not in it.',
  }),
  remediesReason: nullable(oneOf(REMEDIES_REASONS), 'Why there are no remedies; null when there are some.'),
  affectedPositions: Type.Array(AffectedPosition, {
    description:
      'Of price_move: positions of the account that hold the asset, at most 100, the lowest health factor first.',
    maxItems: 100,
  }),
  affectedTotal: Type.Integer({ minimum: 0, description: 'How many positions are affected in all.' }),
  confidenceBasis: nullable(
    ConfidenceBasis,
    'What confidenceScore is made of; null in alerts of earlier releases.',
  ),
} as const satisfies Record<string, TSchema>;

/** Figures of an alert at its last change. */
export const AlertContent = Type.Object(ALERT_CONTENT_FIELDS);
export type AlertContent = Static<typeof AlertContent>;

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
  targetHealthFactor: null,
  remedies: [],
  remediesReason: 'no_position',
  affectedPositions: [],
  affectedTotal: 0,
  confidenceBasis: null,
};

/** The group notification that lists an alert with others of the same cause. */
export const groupId = nullable(
  recordId('grp', 'Id of the group.'),
  'The group whose alert.group lists it beside others of the same cause; null: it is alone, or the others are not known yet.',
);
