import { keccak_256 } from '@noble/hashes/sha3';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';

/** An address as it is shown to people: with the checksum of EIP-55 in its capitals. Stored and compared in lower case. */
export function checksumAddress(address: string): `0x${string}` {
  const digits = address.slice(2).toLowerCase();
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  const shown = Array.from(digits, (digit, at) => (hash.charAt(at) >= '8' ? digit.toUpperCase() : digit));
  return `0x${shown.join('')}`;
}
