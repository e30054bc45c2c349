import { stringToBytes } from 'viem';
import { normalize } from 'viem/ens';

/** As many bytes as a name has in the encoding of DNS, which resolvers receive. */
const MOST_BYTES = 253;
/** Each label may cost a request to the node. */
const MOST_LABELS = 10;

/** The name as ENSIP-15 normalises it. Null for a text that is no name. */
export function normalName(text: string): string | null {
  if (text.length > MOST_BYTES) return null;
  try {
    const name = normalize(text);
    const labels = name.split('.');
    const isShort = stringToBytes(name).length <= MOST_BYTES && labels.length <= MOST_LABELS;
    return isShort && labels.length > 1 && labels.every((label) => label !== '') ? name : null;
  } catch {
    return null;
  }
}
