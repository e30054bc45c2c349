import type { Scope, Tier } from '@plimsoll/contracts';
import type { Endpoint, Method, Service } from './endpoint';

const row = (
  method: Method,
  path: string,
  tier: Tier,
  scope: Scope | null,
  service: Service,
  upgrade = false,
): Endpoint => ({
  method,
  path,
  tier,
  scope,
  service,
  upgrade,
});

/**
 * Every endpoint that exists: the one table of method, path, tier, scope and service. The gateway routes by it, the
 * tier and scope tests run over it. Sources: api-v1.md, Endpoints; decisions.md, Keys and Endpoints beyond the tables.
 */
// prettier-ignore
export const ENDPOINTS: readonly Endpoint[] = [
  row('GET',    '/v1/status',            'open',       null,             'gateway'),
  row('GET',    '/v1/usage',             'open',       null,             'gateway'),
  row('GET',    '/v1/positions',         'open',       'positions:read', 'positions'),
  row('GET',    '/v1/positions/:id',     'pro',        'positions:read', 'positions'),
  row('GET',    '/v1/wallets',           'open',       'wallets:read',   'positions'),
  row('POST',   '/v1/wallets',           'open',       'wallets:write',  'positions'),
  row('DELETE', '/v1/wallets/:address',  'open',       'wallets:write',  'positions'),
  row('GET',    '/v1/alerts',            'pro',        'alerts:read',    'alerts'),
  row('GET',    '/v1/incidents',                'business', 'analytics:read', 'alerts'),
  row('GET',    '/v1/incidents/:id',            'business', 'analytics:read', 'alerts'),
  row('GET',    '/v1/automation/rules',         'business', 'alerts:read',    'alerts'),
  row('POST',   '/v1/automation/rules',         'business', 'alerts:write',   'alerts'),
  row('POST',   '/v1/automation/rules/preview', 'business', 'alerts:write',   'alerts'),
  row('PATCH',  '/v1/automation/rules/:id',     'business', 'alerts:write',   'alerts'),
  row('DELETE', '/v1/automation/rules/:id',     'business', 'alerts:write',   'alerts'),
  row('GET',    '/v1/automation/executions',    'business', 'alerts:read',    'alerts'),
  row('GET',    '/v1/webhooks',          'pro',        'webhooks:read',  'webhook-delivery'),
  row('POST',   '/v1/webhooks',          'pro',        'webhooks:write', 'webhook-delivery'),
  row('PATCH',  '/v1/webhooks/:id',      'pro',        'webhooks:write', 'webhook-delivery'),
  row('DELETE', '/v1/webhooks/:id',      'pro',        'webhooks:write', 'webhook-delivery'),
  row('POST',   '/v1/webhooks/:id/test', 'pro',        'webhooks:write', 'webhook-delivery'),
  row('POST',   '/v1/webhooks/:id/rotate-secret', 'pro', 'webhooks:write', 'webhook-delivery'),
  row('GET',    '/v1/webhooks/:id/deliveries', 'pro',  'webhooks:read',  'webhook-delivery'),
  row('POST',   '/v1/webhooks/:id/recover', 'pro',     'webhooks:write', 'webhook-delivery'),
  row('GET',    '/v1/deliveries/:id',    'pro',        'webhooks:read',  'webhook-delivery'),
  row('POST',   '/v1/deliveries/:id/retry', 'pro',     'webhooks:write', 'webhook-delivery'),
  row('GET',    '/v1/events',            'pro',        'webhooks:read',  'webhook-delivery'),
  row('GET',    '/v1/streams/positions', 'enterprise', 'positions:read', 'streams', true),
  row('GET',    '/v1/streams/alerts',    'enterprise', 'alerts:read',    'streams', true),
  row('POST',   '/v1/streams/tickets',   'enterprise', null,             'streams'),
];
