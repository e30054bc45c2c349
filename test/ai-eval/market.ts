import type {
  AlertList,
  ForecastAnswer,
  IncidentList,
  MonteCarloAnswer,
  PositionList,
  PriceList,
  ProtocolAnswer,
  RiskIndex,
  RiskScoreAnswer,
  WhaleActivityList,
} from '@plimsoll/contracts';
import type { Recording } from '../../apps/ai/test/replay/recorded-call';

export type Position = PositionList['positions'][number];

/** The recorded responses as a client would read them, from which the expected answers are computed. */
export interface Market {
  atMs: number;
  /** Positions with debt first, lowest health factor first. */
  positions: Position[];
  index: RiskIndex;
  alerts: AlertList['alerts'];
  incidents: IncidentList['incidents'];
  moves: WhaleActivityList['activity'];
  price(symbol: string): PriceList['prices'][string] | undefined;
  protocol(id: string): ProtocolAnswer['protocol'] | undefined;
  score(positionId: string): RiskScoreAnswer | undefined;
  forecast(positionId: string): ForecastAnswer | undefined;
  chances(positionId: string, days: number): MonteCarloAnswer | undefined;
}

const PAGE = 'limit=200';

export function marketOf({ atMs, calls }: Recording): Market {
  const bodies = new Map(calls.map(({ key, body }) => [key, body]));
  const all = <T>(prefix: string): T[] =>
    calls.filter(({ key }) => key.startsWith(prefix)).map(({ body }) => body as T);
  const find = <T>(key: string): T | undefined => bodies.get(key) as T | undefined;
  const need = <T>(key: string): T => {
    const body = find<T>(key);
    if (body === undefined) throw new Error(`the recording has no ${key}: record it again`);
    return body;
  };
  const prices = all<PriceList>('market-data GET /v1/prices?');
  return {
    atMs,
    positions: need<PositionList>(`positions GET /v1/positions?include=assets&${PAGE}`).positions,
    index: need('market-data GET /v1/risk/index'),
    alerts: need<AlertList>(`alerts GET /v1/alerts?${PAGE}&status=active`).alerts,
    incidents: need<IncidentList>(`alerts GET /v1/incidents?${PAGE}&status=open`).incidents,
    moves: need<WhaleActivityList>(`whales GET /v1/whales/activity?${PAGE}`).activity,
    price: (symbol) => prices.find((list) => list.prices[symbol])?.prices[symbol],
    protocol: (id) => find<ProtocolAnswer>(`market-data GET /v1/protocols/${id}`)?.protocol,
    score: (id) => find(`simulation GET /v1/positions/${id}/risk-score`),
    forecast: (id) => find(`simulation POST /v1/positions/${id}/forecast {}`),
    chances: (id, days) =>
      find(
        `simulation POST /v1/simulate/monte-carlo ${JSON.stringify({ positionId: id, horizonDays: days, iterations: 1_000 })}`,
      ),
  };
}
