/** The environment of this process with the given variables, for a process that it starts. */
export function childEnvironment(added: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...added };
}

/** Variables of this process that every program needs. */
const OF_EVERY_PROGRAM = ['PATH', 'HOME', 'TMPDIR', 'SystemRoot', 'TEMP', 'NODE_EXTRA_CA_CERTS'];

/** The given variables, and of this process only those that every program needs. */
export function separateEnvironment(added: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const kept = OF_EVERY_PROGRAM.map((name) => [name, process.env[name]]);
  return { ...(Object.fromEntries(kept) as NodeJS.ProcessEnv), ...added };
}
