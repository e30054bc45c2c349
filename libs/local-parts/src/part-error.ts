/** The kind of a part's failure, for decisions in code. `message` and `nextStep` are for people. */
export type PartErrorCode =
  | 'prerequisite_missing'
  | 'download_failed'
  | 'command_failed'
  | 'port_taken'
  | 'exited_at_start'
  | 'not_ready';

/** A part that did not start. `message` is one line with the failure, `nextStep` one line with the remedy. */
export class PartError extends Error {
  override readonly name = 'PartError';

  constructor(
    readonly code: PartErrorCode,
    message: string,
    readonly nextStep: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}
