/** Something that the person at the keyboard can put right: printed as one line, with what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(
    message: string,
    readonly nextStep: string,
  ) {
    super(message);
  }
}
