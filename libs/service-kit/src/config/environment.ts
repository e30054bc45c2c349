/** Returns the environment of the process. No other file of service-kit reads process.env. */
export function environment(): NodeJS.ProcessEnv {
  return process.env;
}
