import { type Static, Type } from '@sinclair/typebox';
import { oneOf } from './fields';

/** The market in which an asset's depth was measured. */
export const DEPTH_BASES = ['asset', 'class', 'default'] as const;
export type DepthBasis = (typeof DEPTH_BASES)[number];

/** Source of a liquidation bonus. */
export const BONUS_BASES = ['protocol_rule', 'typical'] as const;
export type BonusBasis = (typeof BONUS_BASES)[number];

const part = (description: string) => Type.Number({ minimum: 0, description: `${description} USD.` });

/** Loss after a price change, split by cause and by bearer. */
export const LossSplit = Type.Object(
  {
    marketLossUsd: part('Loss of value at the new prices, before any liquidation.'),
    penaltyUsd: part('The amount that liquidators receive above the debt that they repay.'),
    slippageUsd: part('Loss of the sale of seized collateral through its own price impact.'),
    badDebtUsd: part('Debt without remaining collateral. The protocol bears it, not the owner.'),
  },
  {
    description:
      'estimatedLoss is the sum of market, penalty and slippage, each limited to the equity that is left. Without a liquidation, penalty and slippage are 0.',
  },
);
export type LossSplit = Static<typeof LossSplit>;

/** Assumptions about the liquidations behind a loss. */
export const LossAssumptions = Type.Object(
  {
    depthModel: Type.String({
      description: 'Version of the model of price impact (docs/model.md).',
      examples: ['constant-product-1'],
    }),
    depthBasis: Type.Record(Type.String(), oneOf(DEPTH_BASES), {
      description:
        'Source of the market depth of each collateral, by price symbol. asset: measured on it. class: measured on an asset that trades in a similar way. default: not measured; the depth of a thinly traded token applies.',
    }),
    liquidationBonus: Type.Record(Type.String(), Type.Number({ minimum: 0 }), {
      description:
        'The bonus of a liquidator above the repaid debt, by price symbol of the collateral, as a fraction: 0.05 is 5 %.',
    }),
    bonusBasis: oneOf(BONUS_BASES, {
      description:
        'protocol_rule: the contract’s own formula. typical: the protocol’s usual value for such an asset, because the market’s own value is not read.',
    }),
    closeFactor: Type.Number({ description: 'Share of the debt that one liquidation may repay.' }),
    fullCloseHealthFactor: Type.Number({
      description: 'At this health factor and below, one liquidation may repay all of a debt.',
    }),
    fullCloseBelowUsd: Type.Number({
      description: 'A collateral or a debt below this value is closed completely. USD.',
    }),
  },
  {
    description:
      'Assumptions behind penalty and slippage. Liquidations follow the rules of Aave v3.3, one after the other, until the health factor is 1 or no collateral is left.',
  },
);
export type LossAssumptions = Static<typeof LossAssumptions>;
