import type { IncomingMessage } from 'node:http';
import { type Endpoint, matchEndpoint } from '@plimsoll/access';
import { Problem } from '@plimsoll/contracts';

/** Encoded dots, slashes, backslashes and control characters, which servers interpret differently. */
const DISGUISED = /%(?:2e|2f|5c|[01][0-9a-f]|7f)|\\|\/\.{1,2}(?:\/|$)/i;

/** Returns the path of a request target without its query. */
export function pathOf(target: string): string {
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}

/** Returns the row of the endpoint table for a request, or the problem to respond with. */
export function matchRoute(method: string, path: string): Endpoint | Problem {
  const match = DISGUISED.test(path) ? ({ kind: 'not_found' } as const) : matchEndpoint(method, path);
  if (match.kind === 'endpoint') return match.endpoint;
  if (match.kind === 'not_found') {
    return new Problem(
      'route_not_found',
      'There is no such route. See the endpoint list for paths and methods.',
    );
  }
  const allowed = match.allowed.includes('GET') ? [...match.allowed, 'HEAD'] : match.allowed;
  return new Problem('method_not_allowed', `This path accepts ${allowed.join(', ')}.`, {
    headers: { Allow: allowed.join(', ') },
  });
}

const TICKET = /^\/v1\/streams\/[a-z]+\/?\?(?:[^#]*&)?ticket=/;

const requestsUpgrade = ({ headers }: IncomingMessage): boolean => headers.upgrade !== undefined;

/** Returns true for an upgrade with a ticket in its query. The stream service decides whether it is valid. */
export function showsTicket(request: IncomingMessage): boolean {
  return requestsUpgrade(request) && TICKET.test(request.url ?? '');
}
