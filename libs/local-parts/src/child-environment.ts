/** The environment of this process with the given variables, for a process that it starts. */
export function childEnvironment(added: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...added };
}
