import { ApiError, ConnectionError, type Problem, TimeoutError } from './errors';
import { formatJson, parseJson } from './json';
import { isPassing, statedWait, waitBefore } from './retry';

/** A request before it is sent, for the hook. Headers may be changed. */
export interface OutgoingRequest {
  method: string;
  url: string;
  headers: Headers;
  body: string | undefined;
  /** From 1. */
  attempt: number;
}

/** A response, for the hook. The body is read by the SDK. */
export interface IncomingResponse {
  request: OutgoingRequest;
  status: number;
  headers: Headers;
  requestId: string | null;
  durationMs: number;
}

export interface TransportOptions {
  /** Null for the session of a browser, which sends its cookie. */
  apiKey: string | null;
  /** The origin of the gateway, without /v1. */
  baseUrl: string;
  /** Deadline of each attempt, milliseconds. */
  timeoutMs: number;
  /** Attempts after the first. */
  maxRetries: number;
  fetch: typeof fetch;
  onRequest?: (request: OutgoingRequest) => void | Promise<void>;
  onResponse?: (response: IncomingResponse) => void | Promise<void>;
}

/** Options of one call. */
export interface CallOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
  maxRetries?: number;
  /** The same key with the same body returns the first response within 24 hours. Default: a random one. */
  idempotencyKey?: string;
  headers?: Record<string, string>;
}

export interface Call {
  method: string;
  /** Path and query. */
  path: string;
  body?: unknown;
  takesIdempotencyKey?: boolean;
}

/** Sends requests with deadlines, and again after failures that a later attempt can overcome. */
export class Transport {
  constructor(private readonly options: TransportOptions) {}

  get baseUrl(): string {
    return this.options.baseUrl;
  }

  /** The header that names the account. */
  get credentials(): Record<string, string> {
    const { apiKey } = this.options;
    return apiKey === null ? {} : { 'x-api-key': apiKey };
  }

  /** @throws ApiError, ConnectionError, TimeoutError, and the reason of an aborted signal */
  async send(call: Call, options: CallOptions = {}): Promise<unknown> {
    const retries = options.maxRetries ?? this.options.maxRetries;
    const headers = this.headers(call, options);
    for (let attempt = 1; ; attempt += 1) {
      const failure = await this.attempt(call, new Headers(headers), attempt, options).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
      if ('value' in failure) return failure.value;
      const { error } = failure;
      options.signal?.throwIfAborted();
      const statedMs = error instanceof ApiError ? error.retryAfterMs : null;
      const wait = isPassing(error) ? waitBefore(attempt, statedMs, Math.random()) : null;
      if (wait === null || attempt > retries) throw error;
      await pause(wait, options.signal);
    }
  }

  private headers({ body, takesIdempotencyKey }: Call, options: CallOptions): Headers {
    const headers = new Headers({ accept: 'application/json', ...this.credentials });
    if (body !== undefined) headers.set('content-type', 'application/json');
    // One key for all attempts, so that a write whose response was lost happens once.
    if (takesIdempotencyKey) headers.set('idempotency-key', options.idempotencyKey ?? crypto.randomUUID());
    for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
    return headers;
  }

  private async attempt(
    call: Call,
    headers: Headers,
    attempt: number,
    options: CallOptions,
  ): Promise<unknown> {
    const timeoutMs = options.timeoutMs ?? this.options.timeoutMs;
    const request: OutgoingRequest = {
      method: call.method,
      url: this.options.baseUrl + call.path,
      headers,
      body: call.body === undefined ? undefined : formatJson(call.body),
      attempt,
    };
    await this.options.onRequest?.(request);
    const startedAt = performance.now();
    const deadline = AbortSignal.timeout(timeoutMs);
    const {
      status,
      headers: received,
      ok,
      text,
    } = await this.exchange(request, deadline, options).catch((error: unknown) => {
      if (options.signal?.aborted) throw error;
      if (deadline.aborted) throw new TimeoutError(timeoutMs);
      const { baseUrl } = this.options;
      throw new ConnectionError(`${baseUrl} cannot be reached. Check the URL and the network.`, error);
    });
    const requestId = received.get('x-request-id');
    const durationMs = performance.now() - startedAt;
    await this.options.onResponse?.({ request, status, headers: received, requestId, durationMs });
    if (!ok) throw new ApiError(status, problemOf(text), requestId, statedWait(status, received, Date.now()));
    if (text === '') return undefined;
    try {
      return parseJson(text);
    } catch (error) {
      throw new ConnectionError(`The response of ${call.path} is no complete JSON.`, error);
    }
  }

  /** The deadline covers the body too. */
  private async exchange(
    { url, method, headers, body }: OutgoingRequest,
    deadline: AbortSignal,
    options: CallOptions,
  ): Promise<{ status: number; headers: Headers; ok: boolean; text: string }> {
    const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
    // The fetch of a browser fails when it is called as a method of another object.
    const { fetch: send } = this.options;
    // A redirect is an error: the key would follow it to another host.
    const response = await send(url, {
      method,
      headers,
      signal,
      body: body ?? null,
      redirect: 'manual',
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, ok: response.ok, text };
  }
}

/** The problem of an error response. A proxy in between may send HTML. */
function problemOf(text: string): Problem {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** Waits. @throws the reason of an aborted signal */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(done, ms);
    function done(): void {
      signal?.removeEventListener('abort', aborted);
      resolve();
    }
    function aborted(): void {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    }
    signal?.addEventListener('abort', aborted, { once: true });
  });
}
