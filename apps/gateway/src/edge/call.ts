import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Correlation } from '@plimsoll/contracts';
import type { Decision } from './admission';

/** One call of the API on its way through the gateway. */
export interface Call {
  request: IncomingMessage;
  response: ServerResponse;
  correlation: Required<Correlation>;
  /** Monotonic. */
  startedAtMs: number;
  /** The client asked to change the protocol: there is no body, and the connection ends with the answer. */
  isUpgrade: boolean;
  /** There from the start, so that every call has one shape: undefined until decided. */
  decision: Decision | undefined;
  /** What went wrong with the body while nobody read it yet. */
  bodyError: Error | undefined;
}

/** A call about which has been decided: its answer can be written. */
export interface DecidedCall extends Call {
  decision: Decision;
}

/** Notes what was decided. */
export function decided(call: Call, decision: Decision): DecidedCall {
  call.decision = decision;
  return call as DecidedCall;
}
