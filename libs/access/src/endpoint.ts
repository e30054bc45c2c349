import type { Scope, Tier } from '@plimsoll/contracts';

/** Services that endpoints are routed to; `gateway` answers by itself. */
export const SERVICES = [
  'gateway',
  'market-data',
  'positions',
  'alerts',
  'webhook-delivery',
  'streams',
  'simulation',
  'whales',
  'ai',
  'execution',
] as const;
export type Service = (typeof SERVICES)[number];

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One row of the endpoint table. */
export interface Endpoint {
  method: Method;
  /** Path with `:name` for a parameter, from /v1 on. */
  path: string;
  /** The lowest tier that may call it. */
  tier: Tier;
  /** Scope the key must hold; null: any valid key. */
  scope: Scope | null;
  service: Service;
  /** True: a WebSocket upgrade, authenticated by the gateway and then piped. */
  upgrade: boolean;
}
