/**
 * Encrypts stored responses that contain a secret. `owner` names the row. Opening a sealed response for any
 * other row must fail.
 */
export abstract class ResponseSeal {
  abstract seal(text: string, owner: string): { keyId: string; sealed: Uint8Array };
  /** @throws when the key is missing, when the bytes changed, and when they belong to another row */
  abstract open(response: { keyId: string; sealed: Uint8Array }, owner: string): string;
}
