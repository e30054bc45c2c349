import { checksumAddress } from '@plimsoll/contracts';
import { ChainReadError } from '@plimsoll/evm';
import { type Address, type Hex, encodeFunctionData, hashMessage, parseAbi, verifyMessage } from 'viem';
import type { ExecutionChain } from '../chains/chains.service';

const abi = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);
const VALID = '0x1626ba7e';

/** A wallet on a chain. */
export interface WalletOnChain {
  chainId: number;
  /** In lower case. */
  wallet: Address;
}

/** When an authorisation ends, and what makes its text unique. */
export interface Terms {
  expiresAt: Date;
  nonce: string;
}

/** Returns the text that the wallet signs (EIP-191) for an authorisation with an end. */
export function authorisationText(
  accountId: string,
  { chainId, wallet }: WalletOnChain,
  { expiresAt, nonce }: Terms,
): string {
  const until = expiresAt.toISOString();
  return `Plimsoll: ${accountId} may run executions for ${checksumAddress(wallet)} on chain ${chainId} until ${until}. Nonce: ${nonce}.`;
}

/** Returns the text of earlier releases, without an end. It authorises for 30 days, once. */
export function plainAuthorisationText(accountId: string, { chainId, wallet }: WalletOnChain): string {
  return `Plimsoll: ${accountId} may run executions for ${checksumAddress(wallet)} on chain ${chainId}.`;
}

/**
 * Returns true when the wallet signed the text (EIP-191, or ERC-1271 for a contract).
 * @throws ChainReadError while the chain cannot be read
 */
export async function isSignedBy(
  wallet: Address,
  message: string,
  signature: Hex,
  { client }: ExecutionChain,
): Promise<boolean> {
  const isOwn = await verifyMessage({ address: wallet, message, signature }).catch(() => false);
  if (isOwn) return true;
  // A contract wallet itself decides which signature it accepts.
  const code = await client.request<Hex>('eth_getCode', [wallet, 'latest']);
  if (code === '0x') return false;
  const args = [hashMessage(message), signature] as const;
  const data = encodeFunctionData({ abi, functionName: 'isValidSignature', args });
  try {
    return (await client.request<Hex>('eth_call', [{ to: wallet, data }, 'latest'])).startsWith(VALID);
  } catch (error) {
    if (error instanceof ChainReadError && error.code === 'rpc_rejected') return false;
    throw error;
  }
}
