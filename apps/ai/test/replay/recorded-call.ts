/** An answer of a service of a running platform, as it came. */
export interface RecordedCall {
  /** `service METHOD path?query body`: what it was asked, times left out. */
  key: string;
  status: number;
  body: unknown;
}

/** The recorded responses of a platform at one time. */
export interface Recording {
  /** When; milliseconds since 1970. */
  atMs: number;
  calls: RecordedCall[];
}

/** The same question at another time has the same key: moments are left out of it. */
export function keyOf(service: string, method: string, target: string, body: string): string {
  const url = new URL(target, 'http://service');
  url.searchParams.delete('since');
  url.searchParams.sort();
  const sent = body === '' ? '' : ` ${JSON.stringify(JSON.parse(body))}`;
  return `${service} ${method} ${url.pathname}${url.search}${sent}`;
}
