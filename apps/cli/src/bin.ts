#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { EXIT, describeFailure } from './failure';
import { printable, toJson } from './output/text';
import { createProgram } from './program';

/** A reader such as head may close standard output early. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

async function main(): Promise<void> {
  const program = createProgram();
  prepare(program);
  try {
    await program.parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      // Help and version are errors of commander with code 0, and it has printed the others.
      process.exitCode = error.exitCode === 0 ? 0 : EXIT.usage;
      return;
    }
    const { exitCode, ...failure } = describeFailure(error);
    const { json } = program.opts<{ json?: boolean }>();
    const request = failure.requestId === undefined ? '' : ` (request ${failure.requestId})`;
    process.stderr.write(
      json ? `${toJson({ error: failure })}\n` : `${printable(`error: ${failure.message}${request}`)}\n`,
    );
    process.exitCode = exitCode;
  }
}

/** Applies to every command what commander does not inherit. */
function prepare(command: Command): void {
  command
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError(`(plimsoll${pathOf(command)} --help lists what is possible)`)
    .configureHelp({ showGlobalOptions: true });
  for (const each of command.commands) prepare(each);
}

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : '';

await main();
