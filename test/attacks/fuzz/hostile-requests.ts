import { type HostileBody, hostileBodies } from './hostile-bodies';
import { HOSTILE_HEADERS, HOSTILE_TEXTS } from './hostile-values';
import type { FuzzedOperation } from './operations';

export interface HostileRequest extends HostileBody {
  path: string;
}

/** Values of parameters that lead to a record of the account, by the start of the path or the name of the query. */
export type Records = Record<string, string>;

const MOST_PART_CHARS = 2_000;
const HEADERS = ['accept', 'accept-encoding', 'if-none-match', 'traceparent', 'x-request-id', 'user-agent'];

/** Returns so many requests to an operation. Its parameters are hostile in half of those without a body. */
export function hostileRequests(
  operation: FuzzedOperation,
  records: Records,
  count: number,
  random: () => number,
): HostileRequest[] {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const hasBody = operation.bodyExample !== null;
  const bodies: HostileBody[] =
    operation.method === 'GET'
      ? Array.from({ length: count }, () => ({ bytes: null, headers: {} }))
      : hostileBodies(operation.bodyExample ?? {}, count, random);
  return bodies.map(({ bytes, headers }) => {
    // A body is read only behind a path that leads to its operation.
    const isHostilePath = !hasBody && random() < 0.5;
    const names = hasBody ? [] : [...operation.queryNames, ...(random() < 0.1 ? ['__proto__', 'a[b]'] : [])];
    const query = names
      .filter(() => random() < 0.6)
      .map((name) => `${name}=${value(name, records, pick, random)}`);
    const ownHeaders = [...HEADERS, ...operation.headerNames.map((name) => name.toLowerCase())];
    const hostile = random() < (hasBody ? 0.1 : 0.5) ? { [pick(ownHeaders)]: pick(HOSTILE_HEADERS) } : {};
    const path = operation.path.replace(/\{\w+\}/g, () =>
      isHostilePath ? encodedPart(pick(HOSTILE_TEXTS)) || '%20' : recordOf(operation.path, records),
    );
    return {
      path: query.length === 0 ? path : `${path}?${query.join('&')}`,
      bytes,
      headers: { ...headers, ...hostile },
    };
  });
}

/** One hostile value, one that is right, or several. */
function value(
  name: string,
  records: Records,
  pick: (from: readonly string[]) => string,
  random: () => number,
): string {
  const kind = random();
  if (kind < 0.2) return encodedPart((Object.hasOwn(records, name) && records[name]) || '1');
  const hostile = encodedPart(pick(HOSTILE_TEXTS));
  return kind < 0.3 ? `${hostile}&${name}=${encodedPart(pick(HOSTILE_TEXTS))}` : hostile;
}

/** The record below the longest known start of the path. */
function recordOf(path: string, records: Records): string {
  const starts = Object.keys(records).filter((start) => path.startsWith(start));
  const [longest] = starts.sort((a, b) => b.length - a.length);
  return longest === undefined ? 'unknown' : (records[longest] ?? 'unknown');
}

/** A lone surrogate has no form in UTF-8, so it is sent as an invalid one. */
const encodedPart = (text: string): string =>
  encodeURIComponent(text.slice(0, MOST_PART_CHARS).replace(/[\ud800-\udfff]/g, '\ufffd')).slice(0, 6_000);
