import type { Band } from './bands';
import type { PositionListItem } from './rest/positions';
import type { AlertItem } from './rest/alerts';

/** Streams that exist today, by the last segment of their path. */
export const STREAMS = ['positions', 'alerts'] as const;
export type StreamName = (typeof STREAMS)[number];

/** `data` of an event frame (contracts.md, Streams). */
export interface StreamPosition extends PositionListItem {
  previousHealthFactor: number | null;
  band: Band;
  asOfBlock: number;
}
export interface StreamAlert extends AlertItem {
  positionId: string | null;
}

/** Filter of a subscription; a field that is absent does not restrict (decisions.md, Streams). */
export interface StreamFilter {
  wallets?: string[];
  positionIds?: string[];
  protocols?: string[];
  chainIds?: number[];
  maxHealthFactor?: number;
  /** `info` … `critical`; alerts only. */
  minSeverity?: string;
  minUsd?: number;
}

export type StreamClientFrame =
  | { type: 'subscribe'; id: string; filter?: StreamFilter; since?: string }
  | { type: 'unsubscribe'; id: string }
  | { type: 'ping' };

export type StreamServerFrame =
  | { type: 'welcome'; stream: StreamName; connectionId: string; heartbeatMs: number }
  | { type: 'subscribed'; id: string }
  | { type: 'unsubscribed'; id: string }
  | { type: 'snapshot'; id: string; data: StreamPosition[]; last: boolean }
  | {
      type: 'event';
      conflated?: true;
      cursor: string;
      eventId: string;
      timestamp: string;
      data: StreamPosition | StreamAlert;
    }
  | { type: 'resumed'; id: string; recovered: boolean }
  | { type: 'gap'; id: string; reason: string }
  | { type: 'heartbeat'; count: number; cursor: string }
  | { type: 'pong' }
  | { type: 'error'; code: string; message: string }
  | { type: 'draining'; reconnectAfterMs: number };

/** Close codes: 4000–4499 reconnect, 4500–4999 do not (decisions.md, Streams). */
export const STREAM_CLOSE = {
  draining: 4001,
  keyRotated: 4005,
  slow: 4008,
  noPong: 4012,
  badRequest: 4501,
  forbidden: 4503,
  connectionLimit: 4504,
  keyRevoked: 4505,
} as const;
