import { editsBetween } from '../nearest-name';

/** Shorter names, as in PORT and HOST, resemble those of other programs by chance. */
const FEWEST_CHARS = 8;
const MOST_EDITS = 2;

/**
 * Returns a line for each variable that differs from a known name by one or two letters, while the known one is not set.
 * Otherwise the service would start with its default. The names have no prefix, so other unknown variables may belong
 * to other programs.
 */
export function misspeltVariables(env: NodeJS.ProcessEnv, known: readonly string[]): string[] {
  const unset = known.filter((name) => name.length >= FEWEST_CHARS && !env[name]);
  return Object.keys(env).flatMap((variable) => {
    const name = variable.replace(/_FILE$/, '');
    if (!env[variable] || known.includes(variable) || name.length < FEWEST_CHARS) return [];
    const meant = unset.find((each) => isSimilar(each, name));
    if (meant === undefined) return [];
    return [`${variable} is no variable of this service. Did you mean ${variable.replace(name, meant)}?`];
  });
}

const isSimilar = (one: string, other: string): boolean =>
  Math.abs(one.length - other.length) <= MOST_EDITS && editsBetween(one, other) <= MOST_EDITS;
