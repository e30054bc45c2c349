import { keccak_256 } from '@noble/hashes/sha3';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';

/** The same wallets and tokens appear often, and one hash costs more than the rest of a stream frame. */
const MAX_CACHED = 4_096;
const shown = new Map<string, `0x${string}`>();

/** Returns an address with its EIP-55 checksum. Addresses are stored and compared in lower case. */
export function checksumAddress(address: string): `0x${string}` {
  const lower = address.toLowerCase();
  const known = shown.get(lower);
  if (known) return known;
  if (shown.size >= MAX_CACHED) shown.clear();
  const checksummed = withChecksum(lower.slice(2));
  shown.set(lower, checksummed);
  return checksummed;
}

function withChecksum(digits: string): `0x${string}` {
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  const letters = Array.from(digits, (digit, at) => (hash.charAt(at) >= '8' ? digit.toUpperCase() : digit));
  return `0x${letters.join('')}`;
}
