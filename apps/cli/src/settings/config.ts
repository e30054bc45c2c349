import { homedir } from 'node:os';
import path from 'node:path';

/** The variables of the environment. An empty one counts as absent. */
export interface Environment {
  apiKey: string | undefined;
  url: string | undefined;
  webhookSecret: string | undefined;
  mcpToken: string | undefined;
  /** File with the profiles. */
  profileFile: string;
  noColor: boolean;
  forceColor: boolean;
}

export function readEnvironment(): Environment {
  const read = (name: string): string | undefined => process.env[name] || undefined;
  const folder = read('XDG_CONFIG_HOME') ?? path.join(homedir(), '.config');
  return {
    apiKey: read('PLIMSOLL_API_KEY'),
    url: read('PLIMSOLL_URL'),
    webhookSecret: read('PLIMSOLL_WEBHOOK_SECRET'),
    mcpToken: read('PLIMSOLL_MCP_TOKEN'),
    profileFile: read('PLIMSOLL_PROFILES') ?? path.join(folder, 'plimsoll/profiles.json'),
    noColor: read('NO_COLOR') !== undefined,
    forceColor: read('FORCE_COLOR') !== undefined,
  };
}
