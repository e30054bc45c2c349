import { isAddress, type Address } from 'viem';

/**
 * The addresses of a text, each once and in lower case: lines, a list with commas, or a JSON array.
 * @throws naming the first word that is no address, or when there is none
 */
export function parseAddresses(text: string): Address[] {
  const words = text.split(/[\s,"[\]]+/).filter((word) => word !== '');
  if (words.length === 0) throw new Error('it has no addresses');
  const wrong = words.find((word) => !isAddress(word, { strict: false }));
  if (wrong !== undefined) throw new Error(`${wrong} is no address`);
  return [...new Set(words.map((word) => word.toLowerCase() as Address))];
}
