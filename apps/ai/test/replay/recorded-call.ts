/** A response of a service of a running platform, as received. */
export interface RecordedCall {
  /** `service METHOD path?query body`: the request, without times. */
  key: string;
  status: number;
  body: unknown;
}

/** The recorded responses of a platform at one time. */
export interface Recording {
  /** Milliseconds since 1970. */
  atMs: number;
  calls: RecordedCall[];
}

/** The same request at another time has the same key, because it contains no times. */
export function keyOf(service: string, method: string, target: string, body: string): string {
  const url = new URL(target, 'http://service');
  url.searchParams.delete('since');
  url.searchParams.sort();
  const sent = body === '' ? '' : ` ${JSON.stringify(JSON.parse(body))}`;
  return `${service} ${method} ${url.pathname}${url.search}${sent}`;
}
