/** The environment of the process: the one place of service-kit that reads it. */
export function environment(): NodeJS.ProcessEnv {
  return process.env;
}
