import type { Scope, Tier } from '@plimsoll/contracts';

/** Services that endpoints are routed to. `gateway` handles its own. */
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
  'sandbox',
] as const;
export type Service = (typeof SERVICES)[number];

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One row of the endpoint table. */
export interface Endpoint {
  method: Method;
  /** Path from /v1 on, with `:name` for a parameter. */
  path: string;
  /** The lowest tier that has this endpoint. */
  tier: Tier;
  /** Scope that the key must have. Null: any valid key. */
  scope: Scope | null;
  service: Service;
  /** True: a WebSocket upgrade. The gateway authenticates it and then pipes it. */
  upgrade: boolean;
}
