import { Command } from 'commander';
import { version } from '../package.json';
import { addAccountCommands } from './commands/account';
import { addAlertCommands } from './commands/alerts';
import { seconds } from './commands/command';
import { addCompletionCommands } from './commands/completion';
import { addKeyCommands } from './commands/keys';
import { addListenCommand } from './commands/listen';
import { addMcpCommand } from './commands/mcp';
import { addPositionCommands } from './commands/positions';
import { addRuleCommands } from './commands/rules';
import { addSimulateCommands } from './commands/simulate';
import { addStreamCommands } from './commands/streams';
import { addVerifyCommand } from './commands/verify';
import { addWalletCommands } from './commands/wallets';
import { addWebhookCommands } from './commands/webhooks';

const AFTER = `
Environment:
  PLIMSOLL_API_KEY         key of the account, before the current profile
  PLIMSOLL_URL             address of the API, before that of the profile
  PLIMSOLL_PROFILES        file with the profiles; default ~/.config/plimsoll/profiles.json
  PLIMSOLL_WEBHOOK_SECRET  signing secret of plimsoll listen
  PLIMSOLL_MCP_TOKEN       bearer token of plimsoll mcp --http
  NO_COLOR                 output without colours

Exit codes:
  0 done  1 failed  2 wrong command line  3 no valid key  4 tier or scope does not allow it
  5 not found  6 the API refuses the input  7 limit reached  8 the API cannot be reached
  9 verify: nothing differs, but not everything was verified`;

/** Every command of the program. */
export function createProgram(): Command {
  const program = new Command('plimsoll')
    .description('The command line of the Plimsoll API: positions, simulations, events and streams.')
    .version(version)
    .option('--json', 'print JSON for programs')
    .option('--no-color', 'print without colours')
    .option('--profile <name>', 'use this profile')
    .option('--base-url <url>', 'address of the API; default http://127.0.0.1:4000')
    .option('--timeout <seconds>', 'deadline of each attempt of a request; default 30', seconds)
    .addHelpText('after', AFTER);
  addAccountCommands(program);
  addKeyCommands(program);
  addPositionCommands(program);
  addWalletCommands(program);
  addAlertCommands(program);
  addSimulateCommands(program);
  addRuleCommands(program);
  addListenCommand(program);
  addWebhookCommands(program);
  addStreamCommands(program);
  addVerifyCommand(program);
  addMcpCommand(program);
  addCompletionCommands(program);
  return program;
}
