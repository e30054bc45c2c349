import { keccak_256 } from '@noble/hashes/sha3';
import { utf8ToBytes } from '@noble/hashes/utils';

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
  const hash = keccak_256(utf8ToBytes(digits));
  let checksummed: `0x${string}` = '0x';
  for (let at = 0; at < digits.length; at += 1) {
    const byte = hash[at >> 1]!;
    const digit = digits.charAt(at);
    checksummed += (at % 2 === 0 ? byte >> 4 : byte & 0x0f) >= 8 ? digit.toUpperCase() : digit;
  }
  return checksummed;
}
