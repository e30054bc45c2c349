/**
 * How a service encrypts what it stores of answers that hold a secret. `owner` names the row: opened for any other row,
 * a sealed answer must fail.
 */
export abstract class AnswerSeal {
  abstract seal(text: string, owner: string): { keyId: string; sealed: Uint8Array };
  /** @throws for a key that is gone, and for bytes that were changed or are another row's */
  abstract open(answer: { keyId: string; sealed: Uint8Array }, owner: string): string;
}
