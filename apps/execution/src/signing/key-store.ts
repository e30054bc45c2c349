import type { Address, Hex } from 'viem';

/** A signature of secp256k1; s is in the lower half, as chains want it. */
export interface DigestSignature {
  r: Hex;
  s: Hex;
  yParity: 0 | 1;
}

/**
 * Holds the service's key and signs digests with it, as a key-management service does: the key never leaves it. It can
 * trigger the executor contract and nothing else, so a stolen one moves nothing anywhere but users' own debt.
 */
export abstract class KeyStore {
  /** The address of the key; null: there is none, and nothing is submitted. */
  abstract address(): Address | null;
  /** Signs 32 bytes. It has a deadline of its own. */
  abstract sign(digest: Hex): Promise<DigestSignature>;
}
