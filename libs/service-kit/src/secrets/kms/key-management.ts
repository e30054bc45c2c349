/** Something that encrypts other keys with a key that does not leave it: a key management service. */
export interface KeyManagement {
  /**
   * @param key bytes to encrypt
   * @param purpose what the key is for; unwrapping for another purpose fails
   * @returns text without commas and white space
   */
  wrap(key: Buffer, purpose: string): Promise<string>;
  /** @throws Error that says what failed, without key bytes */
  unwrap(wrapped: string, purpose: string): Promise<Buffer>;
}

/** A start or a change of keys waits for at most this time. */
const DEADLINE_MS = 5_000;
const MAX_ERROR_CHARACTERS = 300;

/**
 * Sends one request with a JSON response.
 * @throws Error with the status and the begin of the response, which has no key bytes unless it is 2xx
 */
export async function requestJson<T>(
  name: string,
  url: string,
  { method, headers, body }: { method: string; headers: Record<string, string>; body?: string },
): Promise<T> {
  const init = {
    method,
    headers,
    redirect: 'error',
    signal: AbortSignal.timeout(DEADLINE_MS),
    ...(body !== undefined && { body }),
  } as const;
  const response = await fetch(url, init).catch((cause: Error) => {
    throw new Error(`${name} is unavailable: ${reasonOf(cause)}`, { cause });
  });
  if (!response.ok) {
    const text = (await response.text().catch(() => '')).slice(0, MAX_ERROR_CHARACTERS);
    throw new Error(`${name} responded ${response.status}: ${text}`);
  }
  return (await response.json().catch((cause: Error) => {
    throw new Error(`${name} responded with something else than JSON`, { cause });
  })) as T;
}

function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}

/** @throws Error for a response without this text */
export function textOf(name: string, field: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new Error(`${name} responded without ${field}`);
  return value;
}
