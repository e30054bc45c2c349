import { Injectable } from '@nestjs/common';
import {
  type Band,
  type ExecutionReadinessBody,
  type FieldError,
  type PositionDetail,
  Problem,
  type RiskScoreAnswer,
  type WebhookList,
  invalidRequest,
  notFound,
} from '@plimsoll/contracts';
import { type Caller, InnerClient, ServiceCalls } from '@plimsoll/service-kit';
import { AlertsConfig } from '../config';
import { holdingsOf } from '../positions/holdings';
import type { RiskFigures } from '../positions/position-state';
import type { Deleverage } from '../sources/rule/rule';
import type { CurrentFigures } from './rule-writer';

/**
 * Deadline of services that read the position themselves. Simulation may also have a queue, and execution reads
 * policies from the chain.
 */
const DEADLINE_MS = 8_000;

/** Reads present positions from the positions service. */
@Injectable()
export class PositionLookup {
  private readonly upstream: InnerClient;

  constructor({ UPSTREAM_POSITIONS }: AlertsConfig, calls: ServiceCalls) {
    this.upstream = new InnerClient(calls, 'positions', UPSTREAM_POSITIONS, 'The position');
  }

  /** @throws not_found for an unknown id */
  async read(caller: Caller, positionId: string): Promise<PositionReading> {
    const path = `/v1/positions/${encodeURIComponent(positionId)}`;
    const detail = await this.upstream.get<PositionDetail>(path, caller);
    if (detail === null) throw notFound('position');
    return { figures: currentFigures(detail), venue: venueOf(detail) };
  }
}

/** A present position: its figures and its identity. */
export interface PositionReading {
  figures: CurrentFigures;
  venue: Deleverage['place'];
}

function venueOf({ protocol, chainId, market, subId, wallet }: PositionDetail): Deleverage['place'] {
  return { protocol, chainId, market, ...(subId !== undefined && { subId }), wallet: wallet.toLowerCase() };
}

function currentFigures(detail: PositionDetail): CurrentFigures {
  const { healthFactor, totalCollateralUsd, totalDebtUsd, riskLevel, chainId, asOfBlock } = detail;
  const legs = [
    ...detail.collateralAssets.map((leg) => ({ ...leg, side: 'collateral' as const })),
    ...detail.debtAssets.map((leg) => ({ ...leg, side: 'debt' as const })),
  ];
  return {
    healthFactor,
    collateralUsd: totalCollateralUsd,
    debtUsd: totalDebtUsd,
    band: riskLevel as Band,
    holdings: holdingsOf(legs),
    closed: legs.length === 0,
    block: detail.block ?? asOfBlock[String(chainId)] ?? 0,
  };
}

const PAGE = 200;

/** Reads webhook endpoints from the webhook-delivery service. */
@Injectable()
export class WebhookLookup {
  private readonly upstream: InnerClient;

  constructor({ UPSTREAM_WEBHOOK_DELIVERY }: AlertsConfig, calls: ServiceCalls) {
    this.upstream = new InnerClient(
      calls,
      'webhook-delivery',
      UPSTREAM_WEBHOOK_DELIVERY,
      'The webhook endpoint',
    );
  }

  /** @throws invalid_request naming action.webhookId when the caller has no such endpoint */
  async check(caller: Caller, webhookId: string): Promise<void> {
    let cursor: string | null = '';
    while (cursor !== null) {
      const path: string = `/v1/webhooks?limit=${PAGE}&cursor=${encodeURIComponent(cursor)}`;
      const page: WebhookList | null = await this.upstream.get(path, caller);
      if (page?.webhooks.some(({ id }) => id === webhookId)) return;
      cursor = page?.nextCursor ?? null;
    }
    const message = 'No such webhook endpoint of this account. GET /v1/webhooks lists them.';
    throw invalidRequest([{ field: 'action.webhookId', code: 'not_found', message }]);
  }
}

const OWN_FIELDS = new Set(['positionId', 'actionType']);

/** Checks whether the execution service could do what a rule would request. */
@Injectable()
export class ExecutionLookup {
  private readonly upstream: InnerClient;

  constructor({ UPSTREAM_EXECUTION }: AlertsConfig, calls: ServiceCalls) {
    this.upstream = new InnerClient(
      calls,
      'execution',
      UPSTREAM_EXECUTION,
      'What the wallet allows',
      DEADLINE_MS,
    );
  }

  /** @throws not_found; unsupported_execution, execution_refused naming the field of the rule; upstream_… */
  async check(caller: Caller, asked: ExecutionReadinessBody): Promise<void> {
    try {
      const response = await this.upstream.post<object>('/inner/execution/readiness', asked, caller);
      if (response === null) throw notFound('position');
    } catch (error) {
      if (!(error instanceof Problem) || !error.options.errors) throw error;
      throw new Problem(error.code, error.detail, {
        ...error.options,
        errors: error.options.errors.map(ofRule),
      });
    }
  }
}

/** Renames the field to that of the rule's request body. */
function ofRule({ field, ...error }: FieldError): FieldError {
  if (field === 'mode') return { field: 'actionType', ...error };
  if (field === 'belowHealthFactor') return { field: 'conditionValue', ...error };
  return { field: field === '' || OWN_FIELDS.has(field) ? field : `action.${field}`, ...error };
}

/** Reads present risk figures from the simulation service. */
@Injectable()
export class RiskLookup {
  private readonly upstream: InnerClient;

  constructor({ UPSTREAM_SIMULATION }: AlertsConfig, calls: ServiceCalls) {
    this.upstream = new InnerClient(
      calls,
      'simulation',
      UPSTREAM_SIMULATION,
      'The risk of the position',
      DEADLINE_MS,
    );
  }

  /** @throws upstream_unavailable also while the history of an asset is missing; not_found */
  async read(caller: Caller, positionId: string): Promise<RiskFigures> {
    const path = `/v1/positions/${encodeURIComponent(positionId)}/risk-score`;
    const response = await this.upstream.get<RiskScoreAnswer>(path, caller);
    if (response === null) throw notFound('position');
    const { riskScore, liquidationProbability30d: liquidationProbability } = response;
    // An earlier release of the service states no bound.
    const liquidationProbabilityError = response.upperBound95 ?? response.standardError;
    return { riskScore, liquidationProbability, liquidationProbabilityError };
  }
}
