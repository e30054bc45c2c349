import { PRICE_SOURCES, type PriceSource } from '../../prices';
import { Field, Optional } from '../fields';
import { BlockStamp } from '../positions/positions';
import { DriftBasis } from './drift';

/** How the probability of a simulation was computed. */
export const SIMULATION_METHODS = ['closed_form', 'quasi_monte_carlo', 'monte_carlo'] as const;

export type SimulationMethod = (typeof SIMULATION_METHODS)[number];

/** Model of the price paths: filtered historical simulation, or geometric Brownian motion (docs/model.md). */
export const RISK_MODELS = ['fhs', 'gbm'] as const;

export type RiskModel = (typeof RISK_MODELS)[number];

/** Position and block behind a figure. */
export class PositionBasis extends BlockStamp {
  @Field.Id('pos', 'The position.') positionId!: string;

  @Field.Number('From the contract at asOfBlock. Null without debt.', { min: 0, nullable: true })
  currentHealthFactor!: number | null;

  @Field.Timestamp('Time of the block whose oracle prices are the starting point.') priceTime!: string;

  @Optional()
  @Field.Integer('Block of the position. Present only when it could not be read at asOfBlock.', { min: 0 })
  block?: number;
}

class HistoryWindow {
  @Field.Day('First UTC day whose price is used.') from!: string;
  @Field.Day('Last UTC day whose price is used.') to!: string;
  @Field.Integer('Daily changes in the window.', { min: 1 }) days!: number;
}

/** The price history behind a figure. */
export class HistoryBasis {
  @Field.Word(PRICE_SOURCES, 'Source of the daily prices.', { list: true })
  historySource!: PriceSource[];

  @Field.Object(() => HistoryWindow, 'Days of the price history behind the figures.')
  historyWindow!: HistoryWindow;
}

/** Both fields, for responses that may use no history. */
export class MaybeHistoryBasis {
  @Field.Word(
    PRICE_SOURCES,
    'Source of the daily prices. Null when no history was needed, for example without debt.',
    { list: true, nullable: true },
  )
  historySource!: PriceSource[] | null;

  @Field.Object(() => HistoryWindow, 'The days used. Null when historySource is null.', { nullable: true })
  historyWindow!: HistoryWindow | null;
}

/** The model of a probability and its standard error. */
export class ModelBasis extends DriftBasis {
  @Field.Word(RISK_MODELS, 'fhs: filtered historical simulation; gbm: log-normal prices.')
  model!: RiskModel;

  @Field.Number(
    'Standard error of the probability, from the number of iterations only. The probability ± 1.96 standard errors covers 95 %. 0 when it is exact, or when upperBound95 states more.',
    { min: 0 },
  )
  standardError!: number;

  @Field.Number(
    'When no path was liquidated: the probability is below this value with 95 % confidence. Null otherwise and when the probability is exact.',
    { min: 0, max: 1, nullable: true },
  )
  upperBound95!: number | null;
}
