import { stringToBytes } from 'viem';
import { normalize } from 'viem/ens';

/** As many bytes as a name has in the encoding of DNS, which resolvers receive. */
const MOST_BYTES = 253;
/** Each label may cost a request to the node. */
const MOST_LABELS = 10;
/** ENSIP-15 leaves such labels as they are. Hyphens in the third and fourth place are reserved for punycode. */
const PLAIN_LABEL = /^(?!..--)[a-z0-9-]+$/;

/** The name as ENSIP-15 normalises it. Null for a text that is no name. */
export function normalName(text: string): string | null {
  if (text.length > MOST_BYTES) return null;
  try {
    // The first call of normalize decodes the tables of Unicode, which stops all requests for 0.3 s.
    const isPlain = text.split('.').every((label) => PLAIN_LABEL.test(label));
    const name = isPlain ? text : normalize(text);
    const labels = name.split('.');
    const isShort = stringToBytes(name).length <= MOST_BYTES && labels.length <= MOST_LABELS;
    return isShort && labels.length > 1 && labels.every((label) => label !== '') ? name : null;
  } catch {
    return null;
  }
}
