import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import {
  type ExecutionReadinessBody,
  IDENTITY_HEADER,
  type PositionDetail,
  type PositionV1,
  type ProblemBody,
  RISK_THRESHOLDS,
  type RiskScoreAnswer,
  type WebhookList,
  riskLevelOfEvent,
} from '@plimsoll/contracts';

/** Takes the place of positions, simulation and webhook-delivery, as far as rules call them. */
export interface TestUpstream {
  origin: string;
  positions: Map<string, PositionDetail>;
  /** Responses for risk scores, by position. A missing one is 503, as while a history is missing. */
  risks: Map<string, Pick<RiskScoreAnswer, 'riskScore' | 'liquidationProbability30d' | 'standardError'>>;
  webhooks: WebhookList['webhooks'];
  /** The response of execution to a rule that would execute, by position. A missing one is ready. */
  refusals: Map<string, Pick<ProblemBody, 'status' | 'code' | 'detail' | 'errors'>>;
  /** The received requests, oldest first. */
  requests: ExecutionReadinessBody[];
  /** While set, every call gets it as the response. */
  failure: number | null;
  close(): Promise<void>;
}

/** An enabled endpoint that receives alert.created. */
export const webhookEndpoint = (id: string): WebhookList['webhooks'][number] => ({
  id,
  url: 'https://hooks.example.com/a',
  events: ['alert.created'],
  severities: [],
  protocols: [],
  chainIds: [],
  walletGroupIds: [],
  isEnabled: true,
  disabledReason: null,
  deliveryCount: 0,
  createdAt: '2026-11-21T12:00:00.000Z',
});

const send = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

export async function startTestUpstream(): Promise<TestUpstream> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', upstream.origin);
    if (upstream.failure !== null) return send(response, upstream.failure, {});
    if (request.headers[IDENTITY_HEADER] === undefined) return send(response, 401, {});
    if (pathname === '/inner/execution/readiness') return void ready(request, response);
    if (pathname === '/v1/webhooks') {
      const { webhooks } = upstream;
      return send(response, 200, { webhooks, count: webhooks.length, nextCursor: null });
    }
    if (pathname.endsWith('/risk-score')) {
      const risk = upstream.risks.get(pathname.split('/').at(-2) ?? '');
      return risk ? send(response, 200, risk) : send(response, 503, {});
    }
    const position = upstream.positions.get(pathname.replace('/v1/positions/', ''));
    return position ? send(response, 200, position) : send(response, 404, {});
  });
  async function ready(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = (await json(request)) as ExecutionReadinessBody;
    upstream.requests.push(asked);
    const refusal = upstream.refusals.get(asked.positionId);
    send(response, refusal?.status ?? 200, refusal ?? { isReady: true });
  }

  const upstream: TestUpstream = {
    origin: '',
    positions: new Map(),
    risks: new Map(),
    webhooks: [],
    refusals: new Map(),
    requests: [],
    failure: null,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  upstream.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return upstream;
}

/** The response of positions for a position in the state of this event. */
export function positionDetail(event: PositionV1): PositionDetail {
  const { id, protocol, chainId, market, wallet, healthFactor, healthFactorRaw, block } = event;
  const { totalCollateralUsd, totalDebtUsd } = event;
  const assets = (side: 'collateral' | 'debt') =>
    event.legs
      .filter((leg) => leg.side === side)
      .map(({ scaledRaw: _scaled, side: _side, ...leg }) => ({ ...leg }));
  const of = { id, protocol, chainId, market, wallet, healthFactor, healthFactorRaw };
  return {
    ...of,
    totalCollateralUsd,
    totalDebtUsd,
    totalSuppliedUsd: totalCollateralUsd,
    netWorthUsd: totalCollateralUsd - totalDebtUsd,
    isDust: false,
    ...riskLevelOfEvent(event),
    probability7d: event.probability7d ?? null,
    riskThresholds: RISK_THRESHOLDS,
    asOfBlock: { [chainId]: block },
    blockHash: { [chainId]: event.blockHash },
    collateralAssets: assets('collateral'),
    debtAssets: assets('debt'),
    updatedAt: event.blockTime,
    unreadable: [],
    chainStatus: { '1': 'operational' },
  };
}
