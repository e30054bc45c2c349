import { request } from 'undici';

const MAX_BYTES = 8 * 1_048_576;

/**
 * Sends a GET to an external API and returns JSON of at most 8 MiB.
 * @throws Error that names host and status, never the query
 */
export async function fetchJson<T>(
  url: URL,
  signal: AbortSignal,
  headers: Record<string, string> = {},
): Promise<T> {
  const { statusCode, body } = await request(url, {
    signal,
    headers: { accept: 'application/json', ...headers },
  });
  if (statusCode !== 200) {
    await body.dump({ limit: 65_536, signal });
    throw new Error(`${url.host} returned ${statusCode}. Check its address, key and limits.`);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += (chunk as Buffer).length;
    if (size > MAX_BYTES) throw new Error(`${url.host} sent more than ${MAX_BYTES} bytes.`);
    chunks.push(chunk as Buffer);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as T;
  } catch (cause) {
    throw new Error(`${url.host} sent no JSON. Check its address.`, { cause });
  }
}

/** Returns the URL of an endpoint under a base URL, which may have a path. */
export function endpoint(base: string, path: string, query: Record<string, string> = {}): URL {
  const url = new URL(`${base.replace(/\/$/, '')}/${path}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}
