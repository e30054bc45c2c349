/** Go writes these words in capitals. */
const INITIALISMS = new Set(['AI', 'API', 'APY', 'HTTP', 'ID', 'LTV', 'TVL', 'URI', 'URL', 'USD']);
const KEYWORDS = new Set(
  (
    'break case chan const continue default defer else fallthrough for func go goto if import interface map ' +
    'package range return select struct switch type var'
  ).split(' '),
);

const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Returns the exported Go name of a field or a method: `chainId` is `ChainID`. */
export function goField(name: string): string {
  const joined = wordsOf(name)
    .map((word) => {
      if (word.toLowerCase() === 'ids') return 'IDs';
      return INITIALISMS.has(word.toUpperCase()) ? word.toUpperCase() : capital(word);
    })
    .join('');
  return /^\d/.test(joined) ? `N${joined}` : joined;
}

/** Returns the Go name of an argument: `positionId` is `positionID`. */
export function goArgument(name: string): string {
  const [first = '', ...rest] = wordsOf(name);
  const joined = first.toLowerCase() + goField(rest.join(' '));
  return KEYWORDS.has(joined) ? `${joined}_` : joined;
}

/** Returns a Go string literal. */
export const goLiteral = (text: string): string => JSON.stringify(text);

/** Returns a doc comment of whole words, with lines that a reader sees without scrolling. */
export function goComment(text: string, indent = ''): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter(Boolean)) {
    if (line !== '' && line.length + word.length > 100) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? word : ` ${word}`;
  }
  if (line !== '') lines.push(line);
  return lines.map((each) => `${indent}// ${each}\n`).join('');
}
