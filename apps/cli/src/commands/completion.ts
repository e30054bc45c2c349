import { Argument, type Command } from 'commander';
import { withContext } from './command';

/** That of zsh also works as a file of its fpath: zsh then calls the file as the function of its name. */
const SCRIPTS = {
  bash: `_plimsoll() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(plimsoll complete -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _plimsoll plimsoll`,
  zsh: `#compdef plimsoll
_plimsoll() {
  compadd -- \${(f)"$(plimsoll complete -- "\${(@)words[2,CURRENT-1]}" 2>/dev/null)"}
}
if [[ $funcstack[1] = _plimsoll ]]; then _plimsoll; else compdef _plimsoll plimsoll; fi`,
  fish: `complete -c plimsoll -f -a '(plimsoll complete -- (commandline -opc)[2..] 2>/dev/null)'`,
};
type Shell = keyof typeof SCRIPTS;

export function addCompletionCommands(program: Command): void {
  program
    .command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(SCRIPTS)))
    .addHelpText(
      'after',
      '\nBash and zsh: eval "$(plimsoll completion bash)". Fish: plimsoll completion fish | source',
    )
    .action(withContext((context, shell: Shell) => context.print(SCRIPTS[shell])));
  program
    .command('complete [words...]', { hidden: true })
    .description('print what can follow the words, for the completion scripts')
    .allowUnknownOption()
    .action(withContext((context, words: string[]) => context.print(followers(program, words).join('\n'))));
}

/** The commands and options that can follow the words. */
export function followers(program: Command, words: readonly string[]): string[] {
  let command = program;
  for (const word of words) command = command.commands.find((each) => each.name() === word) ?? command;
  const help = program.createHelp();
  const commands = help.visibleCommands(command).map((each) => each.name());
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const options = [...help.visibleOptions(command), ...program.options];
  return [...new Set([...commands, ...choices, ...options.flatMap(({ long }) => long ?? [])])];
}
