import { validateSync } from 'class-validator';
import { ConfigError } from './config-error';
import { withFileVariables } from './file-variables';
import { misspeltVariables } from './misspelt-variables';

const TRUE = new Set(['true', '1', 'yes', 'on']);
const FALSE = new Set(['false', '0', 'no', 'off']);

function parse(text: string, like: unknown): unknown {
  if (typeof like === 'number') return text.trim() === '' ? Number.NaN : Number(text);
  if (typeof like === 'boolean') {
    if (TRUE.has(text.toLowerCase())) return true;
    return FALSE.has(text.toLowerCase()) ? false : text;
  }
  return text;
}

/**
 * Fills a configuration class from the environment. A field takes the variable of the same name, parsed as
 * the type of its default, or the content of the file that NAME_FILE names. It keeps the default when the variable is
 * absent or empty.
 * @throws ConfigError that names every invalid variable, never its value, because it may be a secret
 */
export function loadConfig<T extends object>(configClass: new () => T, env: NodeJS.ProcessEnv): T {
  const config = new configClass();
  const fields = config as Record<string, unknown>;
  const variables = withFileVariables(env, (name) => typeof fields[name] === 'string');
  for (const name of Object.keys(fields)) {
    const text = variables[name];
    if (text !== undefined && text !== '') fields[name] = parse(text, fields[name]);
  }
  const problems = validateSync(config).map(({ property, constraints }) => {
    const reasons = Object.values(constraints ?? {}).map((reason) => reason.replace(`${property} `, ''));
    // A variable never sets a field that the class derives from several variables.
    const missing = !variables[property] && typeof fields[property] !== 'object';
    return `${property} ${missing ? 'is not set and ' : ''}${reasons.join('; ')}`;
  });
  problems.push(...misspeltVariables(variables, Object.keys(fields)));
  if (problems.length > 0) throw new ConfigError(problems);
  const files = Object.keys(fields).map((name) => [name, env[`${name}_FILE`]] as const);
  const isFromFile = (entry: readonly [string, string | undefined]): entry is [string, string] =>
    Boolean(entry[1]) && typeof fields[entry[0]] === 'string';
  filesOf.set(config, new Map(files.filter(isFromFile)));
  return config;
}

/** Files of variables that NAME_FILE has set, by configuration. */
const filesOf = new WeakMap<object, ReadonlyMap<string, string>>();

/** The file that a variable was read from. Undefined: it was set itself, or has its default. */
export function fileOfVariable(config: object, name: string): string | undefined {
  return filesOf.get(config)?.get(name);
}
