import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { type Endpoint, type Service, TIER_LIMITS, withoutSocketIoSlash } from '@plimsoll/access';
import { Problem, type Tier, tierIncludes, withUpgradeUrl } from '@plimsoll/contracts';
import { GatewayConfig } from '../../config';
import { type Caller, Identity, NOT_RECENT, isRecent } from '../../identity';
import { ClientAddresses, addressSubject } from '../../limits/client-address';
import { RateLimiter } from '../../limits/rate-limiter';
import { type Figures, type Subject, type Verdict, retryAfterSeconds } from '../../limits/verdict';
import { matchRoute, pathOf, showsTicket } from './match-route';
import { RequestTally } from '../../usage/request-tally';

const OPEN_FIGURES: Figures = {
  perMinute: TIER_LIMITS.open.requestsPerMinute,
  perDay: TIER_LIMITS.open.requestsPerDay,
};

/** Invalid keys of an address that are looked up. Valid ones of the same address are not limited by them. */
const GUESSES: Figures = { perMinute: 60, perDay: null };

const INVALID_SECRETS: ReadonlySet<string> = new Set(['invalid_api_key', 'not_signed_in']);

/** Endpoints whose responses have a secret. A session needs a recent password for them. */
const SECRETS: ReadonlySet<string> = new Set(['POST /v1/webhooks', 'POST /v1/webhooks/:id/rotate-secret']);

/** The decision on a request, admitted or not. Its response headers follow from it. */
export interface Decision {
  tier: Tier;
  verdict: Verdict;
}
export interface Admitted extends Decision {
  endpoint: Endpoint;
  key: Caller;
  address: string;
}
/** An upgrade with a ticket. The gateway does not know the caller. */
export interface TicketHolder extends Decision {
  endpoint: Endpoint;
  key: null;
  address: string;
}
export interface Refused extends Decision {
  problem: Problem;
  /** Null without a valid key or session. */
  key: Caller | null;
}

export type Decided = Admitted | TicketHolder | Refused;

/** Decides on a request: route, key, limits, tier, scope. */
@Injectable()
export class Admission {
  constructor(
    private readonly addresses: ClientAddresses,
    private readonly identity: Identity,
    private readonly limiter: RateLimiter,
    private readonly tally: RequestTally,
    private readonly config: GatewayConfig,
  ) {}

  /** Never rejects. With a cached key it only waits for the limit. */
  decide(request: IncomingMessage): Decided | Promise<Decided> {
    const address = this.addresses.of(request);
    const mayGuess = (): boolean => !this.limiter.isFull(guessSubject(address), GUESSES);
    return whenKnown(this.identity.callerOf(request, mayGuess), (known) => {
      if (known instanceof Problem) return this.withoutKey(request, address, known);
      return whenKnown(this.limiter.take(known.subject, known.figures), (verdict) =>
        this.judge(request, address, known, verdict),
      );
    });
  }

  /** A request without a valid key counts toward its address, with the limits of the open tier. */
  refuseAddress(address: string, problem: Problem): Refused | Promise<Refused> {
    return whenKnown(this.limiter.take(addressSubject(address), OPEN_FIGURES), (verdict) => {
      const refused = verdict.admitted ? problem : limitProblem(verdict, 'of requests without a valid key');
      return { tier: 'open', verdict, problem: refused, key: null };
    });
  }

  private withoutKey(
    request: IncomingMessage,
    address: string,
    problem: Problem,
  ): Decided | Promise<Decided> {
    if (INVALID_SECRETS.has(problem.code)) void this.limiter.take(guessSubject(address), GUESSES);
    const refused = this.refuseAddress(address, problem);
    if (problem.code !== 'missing_api_key' || !showsTicket(request)) return refused;
    return whenKnown(refused, (decision) => {
      const route = routeOf(request);
      const isStream = !(route instanceof Problem) && route.upgrade;
      if (!decision.verdict.admitted || !isStream) return decision;
      return { tier: decision.tier, verdict: decision.verdict, endpoint: route, key: null, address };
    });
  }

  private judge(request: IncomingMessage, address: string, key: Caller, verdict: Verdict): Decided {
    const { tier } = key;
    if (!verdict.admitted) return { tier, verdict, key, problem: limitProblem(verdict, 'of this account') };
    const route = routeOf(request);
    this.tally.count(key, route instanceof Problem ? null : route, verdict.nowMs);
    if (route instanceof Problem) return { tier, verdict, key, problem: route };
    const problem = permission(route, key);
    if (!problem) return { tier, verdict, endpoint: route, key, address };
    return { tier, verdict, key, problem: withUpgradeUrl(problem, this.config.UPGRADE_URL) };
  }
}

/** The service that handles a request: test keys have all their data in the sandbox. */
export function serviceFor({ endpoint, key }: Pick<Admitted | TicketHolder, 'endpoint' | 'key'>): Service {
  return key?.testOf !== undefined && endpoint.service !== 'gateway' ? 'sandbox' : endpoint.service;
}

function guessSubject(address: string): Subject {
  const { id, offsetMs } = addressSubject(address);
  return { id: `guess:${id}`, offsetMs };
}

function routeOf(request: IncomingMessage): Endpoint | Problem {
  const path = pathOf(request.url ?? '');
  return matchRoute(request.method ?? '', withoutSocketIoSlash(request, path));
}

function limitProblem(verdict: Verdict, whose: string): Problem {
  const headers = { 'Retry-After': String(retryAfterSeconds(verdict)) };
  if (verdict.exceeded === 'day') {
    const detail = `The daily limit ${whose} is used up. Requests are admitted again at X-RateLimit-Reset.`;
    return new Problem('daily_limit_exceeded', detail, { headers });
  }
  const detail = `The limit ${whose} is ${verdict.limit} a minute. Requests are admitted again at X-RateLimit-Reset.`;
  return new Problem('rate_limited', detail, { headers });
}

/** Services and endpoints that have no test mode. */
const LIVE_ONLY: ReadonlySet<string> = new Set(['ai', 'execution', '/v1/streams/tickets']);

/** Returns why a key of this mode must not use an endpoint, or undefined. */
function modeProblem({ service, path }: Endpoint, { testOf }: Caller): Problem | undefined {
  if (testOf === undefined) {
    if (service !== 'sandbox') return undefined;
    return new Problem(
      'test_key_required',
      'This endpoint moves a test market. Use a key that begins with psk_test_.',
    );
  }
  if (!LIVE_ONLY.has(service) && !LIVE_ONLY.has(path)) return undefined;
  return new Problem('not_in_test_mode', 'Test mode has no such endpoint. Use a live key.');
}

/** Returns why a valid key must not use an endpoint, or undefined. */
function permission(endpoint: Endpoint, key: Caller): Problem | undefined {
  if (key.isAboveCap) {
    const detail = `The ${key.tier} tier has fewer keys than this account; its newest ones are disabled. Use an older key, revoke one, or raise the tier.`;
    return new Problem('quota_reached', detail);
  }
  const ofMode = modeProblem(endpoint, key);
  if (ofMode) return ofMode;
  if (!tierIncludes(key.tier, endpoint.tier)) {
    const detail = `This endpoint needs the ${endpoint.tier} tier; this account has ${key.tier}.`;
    return new Problem('tier_required', detail, { requiredTier: endpoint.tier });
  }
  if (endpoint.scope && !key.scopes.includes(endpoint.scope)) {
    const detail = `This endpoint needs the scope ${endpoint.scope}; use a key that has it.`;
    return new Problem('scope_required', detail);
  }
  if (!key.authenticatedAt || isRecent(key.authenticatedAt)) return undefined;
  return SECRETS.has(`${endpoint.method} ${endpoint.path}`) ? NOT_RECENT : undefined;
}

/**
 * Continues immediately with a value, and with a promise when it resolves, so that a known value costs no
 * turn of the queue.
 */
export function whenKnown<T, R>(value: T | Promise<T>, step: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(step) : step(value);
}
