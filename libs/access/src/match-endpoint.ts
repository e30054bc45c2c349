import type { Endpoint, Method } from './endpoint';
import { ENDPOINTS } from './endpoints';

/** Result for a method and path: a row, a known path with another method, or nothing. */
export type EndpointMatch =
  | { kind: 'endpoint'; endpoint: Endpoint }
  | { kind: 'method_not_allowed'; allowed: Method[] }
  | { kind: 'not_found' };

type Node = { children: Map<string, Node>; parameter: Node | null; endpoints: Map<string, Endpoint> };

const node = (): Node => ({ children: new Map(), parameter: null, endpoints: new Map() });

/** Returns the node of a path, or null. */
function walk(root: Node, path: string): Node | null {
  let at: Node | null = root;
  for (const segment of path.split('/').slice(1)) {
    at = segment === '' ? null : (at.children.get(segment) ?? at.parameter);
    if (at === null) return null;
  }
  return at;
}

/**
 * Compiles a table into a matcher over path segments. A literal segment takes precedence over a parameter.
 */
export function compileEndpoints(
  table: readonly Endpoint[],
): (method: string, path: string) => EndpointMatch {
  const root = node();
  // Paths without parameters by their full text. A literal takes precedence over a parameter, so no other row
  // can match.
  const literals = new Map<string, Node>();
  for (const endpoint of table) {
    let at = root;
    for (const segment of endpoint.path.split('/').slice(1)) {
      if (segment.startsWith(':')) at = at.parameter ??= node();
      else {
        const next = at.children.get(segment) ?? node();
        at.children.set(segment, next);
        at = next;
      }
    }
    if (at.endpoints.has(endpoint.method))
      throw new Error(`${endpoint.method} ${endpoint.path} is in the table twice`);
    at.endpoints.set(endpoint.method, endpoint);
    if (!endpoint.path.includes(':')) literals.set(endpoint.path, at);
  }
  return (method, path) => {
    const at = literals.get(path) ?? walk(root, path);
    if (!at || at.endpoints.size === 0) return { kind: 'not_found' };
    const endpoint = at.endpoints.get(method === 'HEAD' ? 'GET' : method);
    if (endpoint) return { kind: 'endpoint', endpoint };
    return { kind: 'method_not_allowed', allowed: [...at.endpoints.keys()] as Method[] };
  };
}

/** Returns the row of ENDPOINTS for a method and a path without its query. HEAD counts as GET. */
export const matchEndpoint = compileEndpoints(ENDPOINTS);
