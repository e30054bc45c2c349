const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from ' +
    'global if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

/** Returns the Python name of a field or a method: `healthFactorRaw` is `health_factor_raw`. */
export function snake(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
  const safe = /^\d/.test(words) ? `n${words}` : words;
  return KEYWORDS.has(safe) ? `${safe}_` : safe;
}

/** Returns the Python name of a class. */
export const pascal = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** Returns a Python string literal. */
export const literal = (text: string): string => JSON.stringify(text);
