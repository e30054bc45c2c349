import type { ErrorCode } from './generated/operations';

/** A code of the API, a later one, or `http_` and the status when a proxy responded. */
export type ApiErrorCode = ErrorCode | `http_${number}` | (string & {});

/** One invalid field of a request. */
export interface InvalidField {
  /** Path in the body or the name of the parameter, such as `scenarios[0].asset`. */
  field: string;
  code: string;
  /** The necessary change. */
  message: string;
  /** The nearest known name or word, when one is similar. */
  suggestion?: string;
}

/** Body of an error response (RFC 9457). */
export interface Problem {
  type?: string;
  title?: string;
  status?: number;
  /** The mistake and the next step. */
  detail?: string;
  code?: string;
  requestId?: string;
  errors?: InvalidField[];
  requiredTier?: string;
  upgradeUrl?: string;
}

/** The base of every error of the SDK. `code` is stable; texts may change. */
export class PlimsollError extends Error {
  override readonly name: string = 'PlimsollError';

  constructor(
    readonly code: string,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** An error response of the API. */
export class ApiError extends PlimsollError {
  override readonly name = 'ApiError';
  declare readonly code: ApiErrorCode;

  constructor(
    readonly status: number,
    /** As the server sent it. Empty when the body was no problem document, for example from a proxy. */
    readonly problem: Problem,
    /** Names the request in a question to the support. Null when no response header stated it. */
    readonly requestId: string | null,
    /** Milliseconds until a retry can succeed, where the server stated it. */
    readonly retryAfterMs: number | null,
  ) {
    const { code = `http_${status}`, title, detail } = problem;
    super(code, [title ?? `HTTP ${status}`, detail].filter(Boolean).join(': '));
  }

  /** Invalid fields of a 400. */
  get fields(): readonly InvalidField[] {
    return this.problem.errors ?? [];
  }

  /** The first invalid field, or null. */
  get field(): string | null {
    return this.fields[0]?.field ?? null;
  }

  /** The next step, in words. */
  get remedy(): string {
    return this.problem.detail ?? '';
  }

  /** The tier that allows the request. Null when the tier is not the reason. */
  get requiredTier(): string | null {
    return this.problem.requiredTier ?? null;
  }

  /** Page where an account gets that tier. Null when the tier is not the reason, or the platform has no such page. */
  get upgradeUrl(): string | null {
    return this.problem.upgradeUrl ?? null;
  }
}

/** No response arrived: the connection failed, or the response ended early or was no JSON. Code `connection_failed`. */
export class ConnectionError extends PlimsollError {
  override readonly name = 'ConnectionError';

  constructor(message: string, cause?: unknown) {
    super('connection_failed', message, { cause });
  }
}

/** No response arrived in time. Code `timeout`. */
export class TimeoutError extends PlimsollError {
  override readonly name = 'TimeoutError';

  constructor(readonly timeoutMs: number) {
    super('timeout', `No response within ${timeoutMs} ms. Raise timeoutMs, or ask for less at once.`);
  }
}
