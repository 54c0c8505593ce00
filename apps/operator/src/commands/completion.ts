import { Argument } from 'commander'
import { commandEntries } from '../help/command-tree.ts'
import { completionShells, renderCompletion } from '../help/completion.ts'
import { renderManual } from '../help/manual.ts'
import type { RegisterCommand } from './command.ts'

/** `logstack completion bash|zsh`: a completion script, made from the commands themselves. */
export const registerCompletion: RegisterCommand = (program, context) => {
  program
    .command('completion')
    .addArgument(new Argument('<shell>').choices(completionShells))
    .description('print a completion script for a shell (an installation puts both where shells look)')
    .addHelpText('after', '\nExample:\n  source <(./logstack completion bash)')
    .action((shell: (typeof completionShells)[number]) =>
      context.say(renderCompletion(shell, commandEntries(program)).trimEnd()),
    )
}

/** `logstack manual`: the manual page, made from the commands themselves. */
export const registerManual: RegisterCommand = (program, context) => {
  program
    .command('manual')
    .description('print the manual page (an installation makes it readable with: man logstack)')
    .addHelpText('after', '\nExample:\n  ./logstack manual | man -l -')
    .action(() => context.say(renderManual(commandEntries(program), program.version() ?? '').trimEnd()))
}
