import { SERVICES, type Service } from './endpoint';
import { matchEndpoint } from './match-endpoint';

type CallsOf = Readonly<Partial<Record<Service, readonly string[]>>>;

/**
 * The requests that services send to each other, as method and path. A service accepts no others. The gateway
 * is not in the table: it sends every endpoint to the service of its row.
 */
const SERVICE_CALLS: Readonly<Partial<Record<Service, CallsOf>>> = {
  simulation: {
    positions: [
      'GET /v1/names/:name',
      'GET /v1/positions',
      'GET /v1/positions/:id',
      'GET /v1/receipts/:hash',
      'POST /inner/receipts',
      'POST /inner/receipts/forecasts',
    ],
  },
  whales: {
    positions: ['GET /v1/names/:name'],
  },
  streams: {
    positions: ['GET /v1/names/:name'],
  },
  execution: {
    positions: ['GET /v1/positions/:id'],
    'market-data': ['GET /v1/prices'],
  },
  alerts: {
    positions: ['GET /v1/names/:name', 'GET /v1/positions/:id'],
    'webhook-delivery': ['GET /v1/webhooks'],
    execution: ['POST /inner/execution/readiness'],
    simulation: ['GET /v1/positions/:id/risk-score'],
  },
  ai: {
    positions: [
      'GET /v1/names/:name',
      'GET /v1/positions',
      'GET /v1/positions/:id',
      'GET /v1/analytics/historical',
    ],
    'market-data': [
      'GET /v1/protocols',
      'GET /v1/protocols/:id',
      'GET /v1/prices',
      'GET /v1/prices/history',
      'GET /v1/risk/index',
      'GET /v1/risk/index/history',
    ],
    simulation: [
      'GET /v1/risk/metrics',
      'GET /v1/positions/:id/risk-score',
      'POST /v1/positions/:id/forecast',
      'POST /v1/positions/:id/deleverage',
      'POST /v1/simulate/monte-carlo',
      'POST /v1/simulate/what-if',
    ],
    alerts: ['GET /v1/alerts', 'GET /v1/incidents', 'GET /v1/incidents/:id'],
    whales: ['GET /v1/whales/activity'],
  },
};

/**
 * Returns whether one service may send this request to another.
 * @param path without its query
 */
export function mayCall(from: Service, to: Service, method: string, path: string): boolean {
  const match = matchEndpoint(method, path);
  const row = match.kind === 'endpoint' ? match.endpoint.path : path;
  return SERVICE_CALLS[from]?.[to]?.includes(`${method} ${row}`) ?? false;
}

/** Returns the services that a service sends requests to. */
export function calledBy(service: Service): readonly Service[] {
  if (service === 'gateway') return SERVICES.filter((each) => each !== service);
  return SERVICES.filter((each) => SERVICE_CALLS[service]?.[each]);
}

/** Returns a service and all those that receive its caller's identity, directly or through others. */
export function audiencesOf(service: Service): readonly Service[] {
  if (service === 'gateway') return SERVICES;
  const reached = new Set<Service>([service]);
  for (const each of reached) for (const called of calledBy(each)) reached.add(called);
  return [...reached];
}
