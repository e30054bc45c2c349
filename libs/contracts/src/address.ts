import { keccak_256 } from '@noble/hashes/sha3';
import { utf8ToBytes } from '@noble/hashes/utils';
import { type FieldError, invalidRequest } from './errors/problem';

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

const FORM = /^0x[0-9a-fA-F]{40}$/;

/**
 * A wallet address in lower case, as it is stored and compared. An address in mixed case must have a valid
 * checksum (EIP-55), which catches typing errors.
 * @throws invalid_request that names `field`
 */
export function parseAddress(text: string, field: string): `0x${string}` {
  const error = (code: string, message: string): FieldError => ({ field, code, message });
  if (!FORM.test(text)) {
    throw invalidRequest([error('invalid_address', `Send 0x and 40 hexadecimal digits for each address.`)]);
  }
  const lower = text.toLowerCase() as `0x${string}`;
  const digits = text.slice(2);
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  if (isMixed && text !== checksumAddress(lower)) {
    throw invalidRequest([
      error(
        'invalid_checksum',
        'The capital letters do not fit the address: check it, or send it in lower case.',
      ),
    ]);
  }
  return lower;
}
