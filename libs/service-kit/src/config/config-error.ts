/** Lists every invalid variable, one per line. A service prints it at start and stops. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`Configuration is wrong:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}
