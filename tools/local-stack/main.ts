import { workspaceRoot } from '@plimsoll/local-parts';
import { parseArguments, type Command } from './arguments';
import { launcherPrint, runDetached, notifyParent } from './commands/detach-command';
import { HELP } from './help';
import { formatFailure } from './processes/progress';
import { runReset, runStop } from './commands/stop-command';
import { readStackConfig } from './settings/stack-config';
import { stackPaths } from './settings/stack-paths';
import { alertLines, readOperatorAlerts } from './commands/operator-alerts';
import { readStatus } from './commands/status-command';
import { statusTable } from './commands/status-table';

/** Runs one command line and ends this process with its exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    process.exit(await run(await parseArguments(argv)));
  } catch (error) {
    console.error(formatFailure(error));
    process.exit(1);
  }
}

async function run(command: Command): Promise<number> {
  const paths = stackPaths(workspaceRoot());
  switch (command.name) {
    case 'help':
      console.log(HELP);
      return 0;
    case 'start': {
      const config = readStackConfig(process.env, command.isOneProcess);
      const flags = command.isOneProcess ? [] : ['--separate'];
      if (command.detach) return runDetached(paths, flags, console.log);
      const { runStart } = await import('./commands/start-command');
      return runStart(config, paths, launcherPrint, () => notifyParent({ isReady: true }));
    }
    case 'stop': {
      await runStop(paths, console.log);
      return 0;
    }
    case 'status': {
      const entries = await readStatus(paths);
      if (command.json) console.log(JSON.stringify(entries ?? [], null, 2));
      else if (entries)
        console.log(`${statusTable(entries)}\n${alertLines(await readOperatorAlerts(paths))}`.trimEnd());
      else console.log('Nothing is running. Start it with `npm start`.');
      return entries ? 0 : 1;
    }
    case 'reset': {
      await runReset(paths, command.all, console.log);
      return 0;
    }
    case 'market': {
      const { runMarket } = await import('./commands/market-command');
      await runMarket(paths, command.order);
      return 0;
    }
  }
}
