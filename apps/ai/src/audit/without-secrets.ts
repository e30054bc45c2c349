const SECRETS =
  /\b(?:psk_(?:live|demo|test)_|whsec_|sk-|sk_live_|ghp_|AKIA)[A-Za-z0-9_+/=-]{8,}|\bBearer\s+[A-Za-z0-9._-]{16,}|\b0x[0-9a-fA-F]{64}\b/g;

/** Removes everything from a text that looks like a key, a signing secret or a private key. */
export function withoutSecrets(text: string): string {
  return text.replace(SECRETS, '[removed]');
}
