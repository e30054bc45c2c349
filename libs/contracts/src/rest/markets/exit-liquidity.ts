import { IsString, MaxLength, MinLength } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { Combined, Example, Field, POSITION_BASIS } from '../fields';
import { PositionBasis } from '../risk/risk-basis';

/** Price impacts of exit liquidity, in percent. */
export const EXIT_IMPACTS = [1, 2, 5] as const;

/** Sources of the depth of an asset's market. */
export const EXIT_DEPTH_BASES = ['asset', 'class'] as const;

export type ExitDepthBasis = (typeof EXIT_DEPTH_BASES)[number];

/** Reasons for which the exit liquidity of an asset is unknown. */
export const UNKNOWN_EXIT_LIQUIDITY = ['not_measured'] as const;

export type UnknownExitLiquidityReason = (typeof UNKNOWN_EXIT_LIQUIDITY)[number];

const MAX_SYMBOLS = 200;
const MAX_SYMBOL_CHARS = 32;

/** Query of GET /v1/markets/exit-liquidity. */
export class ExitLiquidityQuery {
  @JSONSchema({
    description: `Token symbols in any case, comma-separated: up to ${MAX_SYMBOLS}.`,
    example: 'ETH,wstETH',
    pattern: `^[^,\\u0000]+(,[^,\\u0000]+){0,${MAX_SYMBOLS - 1}}$`,
  })
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_SYMBOLS * (MAX_SYMBOL_CHARS + 1))
  symbols!: string;
}

const LEVELS = [
  { priceImpactPercent: 1, sellableUsd: 42_780_600 },
  { priceImpactPercent: 2, sellableUsd: 86_434_300 },
  { priceImpactPercent: 5, sellableUsd: 222_909_000 },
];
const ETH = {
  levels: LEVELS,
  basis: 'asset',
  source: 'Centralised exchanges: dollar, USDT and BTC pairs within 2 %, half of both sides',
  measuredIn: '2025-09',
  reason: null,
};
const UNKNOWN = { levels: null, basis: null, source: null, measuredIn: null, reason: 'not_measured' };

/** The amount that can be sold at a price impact. */
export class ExitLevel {
  @Field.Number('The average loss of the sale, percent of its value.', { min: 0 })
  priceImpactPercent!: number;
  @Field.Usd('The amount that can be sold at once with this loss.', { min: 0 }) sellableUsd!: number;
}

/** The depth of the market in which an asset is sold. */
export class ExitLiquidityBasis {
  @Field.Object(() => ExitLevel, 'Amounts at 1, 2 and 5 %. Null: unknown, see reason.', {
    list: true,
    nullable: true,
  })
  levels!: ExitLevel[] | null;

  @Field.Word(
    EXIT_DEPTH_BASES,
    'asset: measured on this asset, or on the one that it wraps. class: measured on an asset that trades in a similar way. Null with levels.',
    { nullable: true },
  )
  basis!: ExitDepthBasis | null;

  @Field.Text('The measurement from which the model computes the amounts. Null with levels.', {
    nullable: true,
  })
  source!: string | null;

  @Field.Text(
    'Year, or year and month, of the measurement. Depth changes; it halves in a crash. Null with levels.',
    {
      nullable: true,
      pattern: '^[0-9]{4}(-[0-9]{2})?$',
    },
  )
  measuredIn!: string | null;

  @Field.Word(
    UNKNOWN_EXIT_LIQUIDITY,
    'Why levels are null. not_measured: neither the asset nor one that trades in a similar way was measured. Null: they are known.',
    { nullable: true },
  )
  reason!: UnknownExitLiquidityReason | null;
}

/** Exit liquidity of an asset. */
export class AssetExitLiquidity extends ExitLiquidityBasis {
  @Field.Text('Symbol, as in the request.', { example: 'ETH' }) asset!: string;
}

/** Response of GET /v1/markets/exit-liquidity. */
@Example({
  assets: [
    { asset: 'ETH', ...ETH },
    { asset: 'NEW', ...UNKNOWN },
  ],
  model: 'constant-product-1',
  count: 2,
})
export class ExitLiquidityList {
  @Field.Object(() => AssetExitLiquidity, 'In the order of the request.', { list: true })
  assets!: AssetExitLiquidity[];

  @Field.Text('Version of the model of price impact (docs/model.md).', { example: 'constant-product-1' })
  model!: string;

  @Field.ItemCount() count!: number;
}

/** Exit liquidity of the collateral of a position in one asset. */
export class CollateralExitLiquidity extends ExitLiquidityBasis {
  @Field.Text('Price symbol of the collateral: ETH for ETH and WETH, which are sold in one market.', {
    example: 'ETH',
  })
  asset!: string;

  @Field.Usd('Value of the collateral at the price of the protocol’s oracle.', { min: 0 }) usdValue!: number;

  @Field.Number('The average loss of a sale of all of it at once, percent of usdValue. Null with levels.', {
    min: 0,
    nullable: true,
  })
  priceImpactPercent!: number | null;

  @Field.Usd('The same in USD. Null with levels.', { min: 0, nullable: true }) lossUsd!: number | null;
}

/** Response of GET /v1/positions/:id/exit-liquidity. */
@Example({
  ...POSITION_BASIS,
  collateral: [{ asset: 'ETH', usdValue: 7_500, priceImpactPercent: 0.00018, lossUsd: 0.0133, ...ETH }],
  levels: LEVELS.map(({ priceImpactPercent }) => ({ priceImpactPercent, sellableUsd: 7_500 })),
  reason: null,
  model: 'constant-product-1',
})
export class PositionExitLiquidity extends Combined(PositionBasis) {
  @Field.Object(() => CollateralExitLiquidity, 'Each asset that secures the debt, the largest first.', {
    list: true,
  })
  collateral!: CollateralExitLiquidity[];

  @Field.Object(
    () => ExitLevel,
    'The part of the collateral that can be sold when each asset is sold up to the price impact: at most its value. Null: unknown for at least one asset.',
    { list: true, nullable: true },
  )
  levels!: ExitLevel[] | null;

  @Field.Word(UNKNOWN_EXIT_LIQUIDITY, 'Why levels are null. Null: they are known.', { nullable: true })
  reason!: UnknownExitLiquidityReason | null;

  @Field.Text('Version of the model of price impact (docs/model.md).', { example: 'constant-product-1' })
  model!: string;
}
