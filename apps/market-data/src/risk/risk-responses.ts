import type {
  MarketHealth,
  ProtocolHealth,
  RiskComponents,
  RiskHistoryItem,
  RiskIndex,
  RiskLevel,
  RiskTrend,
} from '@plimsoll/contracts';
import { riskLabel } from '@plimsoll/risk-math';

/** The stored index, from which both endpoints respond. */
export interface IndexRecord {
  /** Start of the hour, milliseconds since 1970. */
  hourMs: number;
  gri: number;
  trend: RiskTrend;
  components: RiskComponents;
  measuredAtMs: number;
}

/** Largest change of the index over a day that is not a trend. */
const TREND_POINTS = 2;

export function trendOf(gri: number, dayAgo: number | null): RiskTrend {
  if (dayAgo === null || Math.abs(gri - dayAgo) <= TREND_POINTS) return 'stable';
  return gri > dayAgo ? 'rising' : 'falling';
}

export function riskIndex({ gri, trend, components, measuredAtMs }: IndexRecord): RiskIndex {
  return { gri, label: levelOf(gri), trend, components, updatedAt: new Date(measuredAtMs).toISOString() };
}

export function marketHealth({ gri, components, measuredAtMs }: IndexRecord): MarketHealth {
  return {
    overallRisk: levelOf(gri),
    riskScore: gri,
    indicators: {
      volatility: levelOf(components.volatility),
      liquidationRisk: levelOf(components.liquidationPressure),
      protocolHealth: healthOf(components.protocolStability),
    },
    updatedAt: new Date(measuredAtMs).toISOString(),
  };
}

export function historyItem({ hourMs, gri, components }: IndexRecord): RiskHistoryItem {
  return { at: new Date(hourMs).toISOString(), gri, label: levelOf(gri), components };
}

function levelOf(points: number): RiskLevel {
  return riskLabel(points);
}

function healthOf(stability: number): ProtocolHealth {
  if (stability >= 75) return 'healthy';
  return stability >= 50 ? 'degraded' : 'critical';
}
