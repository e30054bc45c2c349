import { About, Field } from '../fields';

/** The market in which an asset's depth was measured. */
export const DEPTH_BASES = ['asset', 'class', 'default'] as const;

export type DepthBasis = (typeof DEPTH_BASES)[number];

/** Source of a liquidation bonus. */
export const BONUS_BASES = ['market', 'protocol_rule', 'typical'] as const;

export type BonusBasis = (typeof BONUS_BASES)[number];

const part = (description: string) => Field.Number(`${description} USD.`, { min: 0 });

/** Loss after a price change, split by cause and by bearer. */
@About(
  'estimatedLoss is the sum of market, penalty and slippage, each limited to the equity that is left. Without a liquidation, penalty and slippage are 0.',
)
export class LossSplit {
  @part('Loss of value at the new prices, before any liquidation.') marketLossUsd!: number;
  @part('The amount that liquidators receive above the debt that they repay.') penaltyUsd!: number;
  @part('Loss of the sale of seized collateral through its own price impact.') slippageUsd!: number;
  @part('Debt without remaining collateral. The protocol bears it, not the owner.') badDebtUsd!: number;
}

/** Assumptions about the liquidations behind a loss. */
@About(
  'Assumptions behind penalty and slippage. Liquidations follow the rules of Aave v3.3, one after the other, until the health factor is 1 or no collateral is left.',
)
export class LossAssumptions {
  @Field.Text('Version of the model of price impact (docs/model.md).', { example: 'constant-product-1' })
  depthModel!: string;

  @Field.Word(
    DEPTH_BASES,
    'Source of the market depth of each collateral, by price symbol. asset: measured on it. class: measured on an asset that trades in a similar way. default: not measured; the depth of a thinly traded token applies.',
    { map: true },
  )
  depthBasis!: Record<string, DepthBasis>;

  @Field.Number(
    'The bonus of a liquidator above the repaid debt, by price symbol of the collateral, as a fraction: 0.05 is 5 %.',
    { min: 0, map: true },
  )
  liquidationBonus!: Record<string, number>;

  @Field.Word(
    BONUS_BASES,
    'market: the market’s own parameters at the block. protocol_rule: the contract’s own formula. typical: the protocol’s usual value for such an asset, because the market’s own value is not read, at least for one collateral.',
  )
  bonusBasis!: BonusBasis;

  @Field.Number('Share of the debt that one liquidation may repay.') closeFactor!: number;

  @Field.Number('At this health factor and below, one liquidation may repay all of a debt.')
  fullCloseHealthFactor!: number;

  @Field.Number('A collateral or a debt below this value is closed completely. USD.')
  fullCloseBelowUsd!: number;
}
