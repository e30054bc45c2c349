import { type Hex, type TransactionSerializableEIP1559, keccak256, serializeTransaction } from 'viem';
import type { KeyStore } from './key-store';

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
