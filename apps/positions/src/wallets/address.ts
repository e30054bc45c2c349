import { type FieldError, checksumAddress, invalidRequest } from '@plimsoll/contracts';
import type { Address } from 'viem';

const FORM = /^0x[0-9a-fA-F]{40}$/;

/**
 * A wallet address in lower case, as it is stored and compared. An address in mixed case must have a valid
 * checksum (EIP-55), which catches typing errors.
 * @throws invalid_request that names `field`
 */
export function parseAddress(text: string, field: string): Address {
  const error = (code: string, message: string): FieldError => ({ field, code, message });
  if (!FORM.test(text)) {
    throw invalidRequest([error('invalid_address', `Send 0x and 40 hexadecimal digits for each address.`)]);
  }
  const lower = text.toLowerCase() as Address;
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
