/**
 * Decides which keys or channels a pattern of KEYS, SCAN MATCH and PSUBSCRIBE matches: `*` any text, `?` one
 * character, `[a-c]` and `[^a]` a set, `\` the next character itself.
 */
export function matcherOf(pattern: string): (text: string) => boolean {
  let source = '';
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at]!;
    if (character === '*') source += '[^]*';
    else if (character === '?') source += '[^]';
    else if (character === '\\' && at + 1 < pattern.length) source += literal(pattern[(at += 1)]!);
    else if (character === '[') {
      const end = pattern.indexOf(']', at + 1);
      const inside = pattern.slice(at + 1, end === -1 ? undefined : end);
      const negated = inside.startsWith('^');
      const members = (negated ? inside.slice(1) : inside).replaceAll(/[\\\]^]/g, '\\$&');
      // An empty set matches nothing.
      source += members === '' ? (negated ? '[^]' : '[]') : `[${negated ? '^' : ''}${members}]`;
      at = end === -1 ? pattern.length : end;
    } else source += literal(character);
  }
  const expression = new RegExp(`^${source}$`);
  return (text) => expression.test(text);
}

function literal(character: string): string {
  return character.replace(/[.*+?^${}()|[\]\\/-]/, '\\$&');
}
