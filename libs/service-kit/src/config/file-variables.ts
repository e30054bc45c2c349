import { readFileSync } from 'node:fs';
import { ConfigError } from './config-error';

const SUFFIX = '_FILE';

/**
 * The environment, with the contents of files: NAME_FILE sets NAME to the text of that file, without the line break at
 * its end. Container platforms provide secrets as files, and a file does not appear in the list of processes.
 * @param isVariable whether a name can be set by a file; other variables that end with _FILE stay as they are
 * @throws ConfigError that names each file that cannot be read, and each variable that is set in both ways
 */
export function withFileVariables(
  env: NodeJS.ProcessEnv,
  isVariable: (name: string) => boolean,
): NodeJS.ProcessEnv {
  const problems: string[] = [];
  const result = { ...env };
  for (const [variable, file] of Object.entries(env)) {
    const name = variable.slice(0, -SUFFIX.length);
    if (!variable.endsWith(SUFFIX) || !file || !isVariable(name)) continue;
    delete result[variable];
    const text = contentOf(file);
    if (env[name]) problems.push(`${variable} and ${name} are both set: remove one of them`);
    else if (text === undefined)
      problems.push(`${variable} must be the path of a file that this process can read`);
    else if (text === '') problems.push(`${variable} must be the path of a file that is not empty`);
    else result[name] = text;
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return result;
}

/** The text of a file without the line break at its end. Undefined: it cannot be read. */
export function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch {
    return undefined;
  }
}
