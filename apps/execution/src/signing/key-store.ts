import {
  type Address,
  type Hex,
  type TransactionSerializableEIP1559,
  keccak256,
  serializeTransaction,
} from 'viem';

/** A signature of secp256k1. s is in the lower half, as chains require. */
export interface DigestSignature {
  r: Hex;
  s: Hex;
  yParity: 0 | 1;
}

/**
 * Holds the service's key and signs digests with it, like a key-management service. The key never leaves it.
 * It can only trigger the executor contract, so a stolen key can only reduce users' own debt.
 */
export abstract class KeyStore {
  /** Returns the address of the key, or null without one. Then nothing is submitted. */
  abstract address(): Address | null;
  /** Signs 32 bytes within its own deadline. */
  abstract sign(digest: Hex): Promise<DigestSignature>;
}

/** A signed transaction and its hash. */
export interface SignedTransaction {
  raw: Hex;
  hash: Hex;
}

/** Signs the digest of a transaction with the key store. */
export async function signTransaction(
  keys: KeyStore,
  transaction: TransactionSerializableEIP1559,
): Promise<SignedTransaction> {
  const digest = keccak256(serializeTransaction(transaction));
  const signature = await keys.sign(digest);
  const raw = serializeTransaction(transaction, signature);
  return { raw, hash: keccak256(raw) };
}
