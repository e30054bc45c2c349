import { type Static, Type } from '@sinclair/typebox';
import { oneOf } from './fields';

/** What the market depth of an asset was measured on. */
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
    penaltyUsd: part('What liquidators get beyond the debt that they repay.'),
    slippageUsd: part('What the sale of the seized collateral loses by its own price impact.'),
    badDebtUsd: part('Debt that no collateral is left for: the protocol bears it, not the owner.'),
  },
  {
    description:
      'estimatedLoss is the sum of market, penalty and slippage, each in turn as far as equity is left. Without a liquidation all but the first are 0.',
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
        'What the depth of each collateral’s market was measured on, by price symbol. asset: on it. class: on an asset that trades alike. default: nobody measured it, and it is taken for a thinly traded token.',
    }),
    liquidationBonus: Type.Record(Type.String(), Type.Number({ minimum: 0 }), {
      description:
        'What a liquidator gets on top of the debt repaid, by price symbol of the collateral, as a fraction: 0.05 is 5 %.',
    }),
    bonusBasis: oneOf(BONUS_BASES, {
      description:
        'protocol_rule: the contract’s own formula. typical: what the protocol commonly sets for such an asset; the market’s own figure is not read.',
    }),
    closeFactor: Type.Number({ description: 'Share of the debt that one liquidation may repay.' }),
    fullCloseHealthFactor: Type.Number({
      description: 'At this health factor and below, one liquidation may repay all of a debt.',
    }),
    fullCloseBelowUsd: Type.Number({
      description: 'A collateral or a debt below this value is closed whole. USD.',
    }),
  },
  {
    description:
      'What penalty and slippage were worked out with. Liquidations follow the rules of Aave v3.3, one after the other, until the health factor is 1 or nothing is left to seize.',
  },
);
export type LossAssumptions = Static<typeof LossAssumptions>;
