import { Injectable } from '@nestjs/common';
import type {
  DeleverageAnswer,
  ForecastAnswer,
  MonteCarloAnswer,
  MonteCarloBody,
  RiskMetrics,
  RiskScoreAnswer,
  WhatIfAnswer,
  WhatIfBody,
} from '@plimsoll/contracts';
import type { Fact } from './fact';
import type { FactOrigin, FactSheet } from './fact-sheet';
import { noteUnreadable } from './positions.reader';
import type { Reading } from './reading';
import { ServiceReader } from './service-reader';

/** The cap of the lowest tier that may ask. */
export const ITERATIONS = 1_000;

export interface ScoreFacts extends ChancesFacts {
  score: Fact;
  label: Fact;
}
export interface ForecastFacts {
  distancePercent: Fact;
  volatileDistancePercent: Fact;
  daysToLiquidation: Fact;
  /** Prices with the position's symbol for the asset. */
  prices: { symbol: string; price: Fact }[];
}
export interface ChancesFacts {
  probability: Fact;
  /** 0 when the probability is exact, and when upperBound95 states more. */
  standardError: Fact;
  /** Null unless no path was liquidated. */
  upperBound95: Fact | null;
  horizonDays: Fact;
}
/** The error of a probability. An earlier release of the simulation service states no bound. */
export type ChanceError = Pick<MonteCarloAnswer, 'standardError'> &
  Partial<Pick<MonteCarloAnswer, 'upperBound95'>>;
export interface ScenarioFacts {
  /** Requested change, percent. */
  changes: { asset: string; percent: Fact }[];
  healthFactor: Fact;
  loss: Fact;
  band: Fact;
}
export interface DeleverageFacts {
  target: Fact;
  repayUsd: Fact;
  addUsd: { symbol: string; usd: Fact }[];
}

/**
 * Risk figures that the simulation service computes now. Null: it could not, and the sheet states the reason.
 */
@Injectable()
export class RiskReader {
  constructor(private readonly services: ServiceReader) {}

  async score(reading: Reading, positionId: string): Promise<ScoreFacts | null> {
    const source = `GET /v1/positions/${positionId}/risk-score`;
    const read = await this.services.get<RiskScoreAnswer>(reading, 'simulation', source.slice(4));
    if (read.state !== 'read') return null;
    const { sheet } = reading;
    const { body } = read;
    const [at, name, of] = [origin(body, source), `risk.${positionId}`, `of position ${positionId}`];
    const chance = body.liquidationProbability30d;
    return {
      score: sheet.add(`${name}.score`, `risk score ${of}`, body.riskScore, 'score', at),
      label: sheet.add(`${name}.label`, `label of the risk score ${of}`, body.label, 'enum', at),
      probability: sheet.add(
        `${name}.probability30d`,
        `probability of liquidation ${of}`,
        chance,
        'fraction',
        at,
      ),
      ...errorFacts(sheet, `${name}.probability30d`, body, at),
      horizonDays: sheet.add(`${name}.probability30d.days`, `horizon of that probability`, 30, 'days', at),
    };
  }

  async forecast(reading: Reading, positionId: string): Promise<ForecastFacts | null> {
    const path = `/v1/positions/${positionId}/forecast`;
    const read = await this.services.post<ForecastAnswer>(reading, 'simulation', path, {});
    if (read.state !== 'read') return null;
    const { sheet } = reading;
    const { body } = read;
    const [at, name, of] = [
      origin(body, `POST ${path}`),
      `forecast.${positionId}`,
      `of position ${positionId}`,
    ];
    return {
      distancePercent: sheet.add(
        `${name}.distancePercent`,
        `fall of all collateral that liquidates, ${of}`,
        body.distancePercent,
        'percent',
        at,
      ),
      volatileDistancePercent: sheet.add(
        `${name}.volatileDistancePercent`,
        `fall of volatile collateral that liquidates, ${of}`,
        body.volatileDistancePercent,
        'percent',
        at,
      ),
      daysToLiquidation: sheet.add(
        `${name}.daysToLiquidation`,
        `median time to liquidation ${of}`,
        body.daysToLiquidation,
        'days',
        at,
      ),
      prices: Object.entries(body.liquidationPrice).map(([symbol, price], index) => {
        const id = `${name}.price.${index}`;
        sheet.add(`${id}.symbol`, 'symbol of an asset', symbol, 'text', at);
        return {
          symbol,
          price: sheet.add(`${id}.usd`, `liquidation price of an asset ${of}`, price, 'usd', at),
        };
      }),
    };
  }

  /** @param trial amounts or an e-mode that are tried out, under a name for their facts */
  async chances(
    reading: Reading,
    positionId: string,
    horizonDays: number,
    trial?: Pick<MonteCarloBody, 'changes' | 'eMode'> & { name: string },
  ): Promise<(ChancesFacts & { answer: MonteCarloAnswer }) | null> {
    const path = '/v1/simulate/monte-carlo';
    const { name: trialName, ...tried } = trial ?? { name: null };
    const body = { positionId, horizonDays, iterations: ITERATIONS, ...tried };
    const read = await this.services.post<MonteCarloAnswer>(reading, 'simulation', path, body);
    if (read.state !== 'read') return null;
    const { sheet } = reading;
    const response = read.body;
    const at = origin(response, `POST ${path}`);
    const name = `chances.${positionId}.${horizonDays}${trialName === null ? '' : `.${trialName}`}`;
    const chance = response.liquidationProbability;
    return {
      answer: response,
      probability: sheet.add(
        name,
        `probability of liquidation of position ${positionId}`,
        chance,
        'fraction',
        at,
      ),
      ...errorFacts(sheet, name, response, at),
      horizonDays: sheet.add(`${name}.days`, 'horizon of that probability', response.horizonDays, 'days', at),
    };
  }

  /** A single change, or several combined. `not_held`: the position has none of the assets. */
  async whatIf(
    reading: Reading,
    positionId: string,
    scenarios: WhatIfBody['scenarios'],
  ): Promise<ScenarioFacts | null> {
    const path = '/v1/simulate/what-if';
    const read = await this.services.post<WhatIfAnswer>(reading, 'simulation', path, {
      positionId,
      scenarios,
    });
    if (read.state !== 'read') return null;
    const { sheet } = reading;
    const { results, combined, ...basis } = read.body;
    const [at, name, of] = [
      origin(basis, `POST ${path}`),
      `what-if.${positionId}`,
      `of position ${positionId}`,
    ];
    return {
      changes: results.map(({ asset, priceChangePercent: change }, index) => {
        const id = `${name}.change.${index}`;
        sheet.add(`${id}.symbol`, 'symbol of an asset', asset, 'text', at);
        return {
          asset,
          percent: sheet.add(`${id}.percent`, 'price change asked for', change, 'percent', at),
        };
      }),
      healthFactor: sheet.add(
        `${name}.healthFactor`,
        `health factor after the change ${of}`,
        combined.newHealthFactor,
        'ratio',
        at,
      ),
      loss: sheet.add(`${name}.loss`, `loss of net worth ${of}`, combined.estimatedLoss, 'usd', at),
      band: sheet.add(
        `${name}.band`,
        `risk level after the change ${of}`,
        combined.liquidationRisk,
        'enum',
        at,
      ),
    };
  }

  async deleverage(
    reading: Reading,
    positionId: string,
    targetHealthFactor: number,
  ): Promise<DeleverageFacts | null> {
    const path = `/v1/positions/${positionId}/deleverage`;
    const read = await this.services.post<DeleverageAnswer>(reading, 'simulation', path, {
      targetHealthFactor,
    });
    if (read.state !== 'read') return null;
    const { sheet } = reading;
    const { body } = read;
    const [at, name, of] = [
      origin(body, `POST ${path}`),
      `deleverage.${positionId}`,
      `of position ${positionId}`,
    ];
    return {
      target: sheet.add(`${name}.target`, 'health factor to reach', body.targetHealthFactor, 'ratio', at),
      repayUsd: sheet.add(`${name}.repayUsd`, `debt to repay ${of}`, body.requiredRepayUsd, 'usd', at),
      addUsd: Object.entries(body.addCollateralUsd).map(([symbol, usd], index) => {
        const id = `${name}.addUsd.${index}`;
        sheet.add(`${id}.symbol`, 'symbol of an asset', symbol, 'text', at);
        return { symbol, usd: sheet.add(`${id}.usd`, `collateral to add ${of}`, usd, 'usd', at) };
      }),
    };
  }

  /** Portfolio risk over wallets, by default the watched ones. */
  async portfolio(
    reading: Reading,
    wallets: readonly string[],
  ): Promise<Record<'var95' | 'cvar95' | 'volatility', Fact> | null> {
    const query = wallets.length > 0 ? `?wallet=${wallets.join(',')}` : '';
    const source = 'GET /v1/risk/metrics';
    const read = await this.services.get<RiskMetrics>(reading, 'simulation', `/v1/risk/metrics${query}`);
    if (read.state !== 'read') return null;
    const { sheet } = reading;
    const { body } = read;
    noteUnreadable(reading, source, body.unreadable);
    const at = {
      time: body.priceTime ?? '1970-01-01T00:00:00.000Z',
      source,
      isStale: body.unreadable.length > 0,
    };
    return {
      var95: sheet.add('portfolio.var95', 'value at risk of one day', body.var95Usd, 'usd', at),
      cvar95: sheet.add('portfolio.cvar95', 'expected shortfall of one day', body.cvar95Usd, 'usd', at),
      volatility: sheet.add(
        'portfolio.volatility',
        'yearly volatility',
        body.portfolioVolatility,
        'fraction',
        at,
      ),
    };
  }
}

/** The error of a probability, as facts below its name. */
export function errorFacts(
  sheet: FactSheet,
  name: string,
  { standardError, upperBound95 }: ChanceError,
  at: FactOrigin,
): Pick<ChancesFacts, 'standardError' | 'upperBound95'> {
  const bound = upperBound95 ?? null;
  return {
    standardError: sheet.add(
      `${name}.standardError`,
      'standard error of that probability',
      standardError,
      'fraction',
      at,
    ),
    upperBound95:
      bound === null
        ? null
        : sheet.add(
            `${name}.upperBound95`,
            'value that the probability is below with 95 % confidence',
            bound,
            'fraction',
            at,
          ),
  };
}

/** Stale when the position could not be read at the newest block. */
function origin({ priceTime, block }: { priceTime: string; block?: number }, source: string): FactOrigin {
  return { time: priceTime, source, isStale: block !== undefined };
}
