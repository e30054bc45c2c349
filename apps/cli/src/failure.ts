import { ApiError, ConnectionError, PlimsollError, TimeoutError } from '@plimsoll/sdk';

/** Exit codes. The README documents them, and scripts rely on them. */
export const EXIT = {
  failed: 1,
  usage: 2,
  unauthenticated: 3,
  forbidden: 4,
  notFound: 5,
  invalid: 6,
  limited: 7,
  unavailable: 8,
  unproved: 9,
} as const;

/** A failure that the command line itself states. */
export class Failure extends Error {
  override readonly name = 'Failure';

  constructor(
    readonly exitCode: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const CODES_OF_STATUS: Record<number, number> = {
  401: EXIT.unauthenticated,
  402: EXIT.forbidden,
  403: EXIT.forbidden,
  404: EXIT.notFound,
  429: EXIT.limited,
};

export interface Description {
  exitCode: number;
  code: string;
  message: string;
  status?: number;
  field?: string;
  requestId?: string;
  requiredTier?: string;
}

/** Describes a failure for a person and for a program. */
export function describeFailure(error: unknown): Description {
  if (error instanceof Failure) return { exitCode: error.exitCode, code: error.code, message: error.message };
  if (error instanceof ApiError) {
    const { status, code, message, field, requestId, requiredTier } = error;
    const other = status >= 500 || status === 408 ? EXIT.unavailable : EXIT.invalid;
    return {
      exitCode: CODES_OF_STATUS[status] ?? other,
      code,
      message,
      status,
      ...(field !== null && { field }),
      ...(requestId !== null && { requestId }),
      ...(requiredTier !== null && { requiredTier }),
    };
  }
  if (error instanceof ConnectionError || error instanceof TimeoutError)
    return { exitCode: EXIT.unavailable, code: error.code, message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  return { exitCode: EXIT.failed, code: error instanceof PlimsollError ? error.code : 'failed', message };
}
