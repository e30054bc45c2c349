/** An error that the user can correct: printed as one line, with the next step. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(
    message: string,
    readonly nextStep: string,
  ) {
    super(message);
  }
}
