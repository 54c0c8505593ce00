import { parts } from '@logstack/contracts'
import type { Command, Option } from 'commander'

/** A command as its help, its completion and its manual page show it. */
export interface CommandEntry {
  /** The words after `logstack`: empty for the program itself, `memory set` for a command of a command. */
  readonly path: string
  readonly description: string
  /** `[part] [options]` as help writes it. */
  readonly usage: string
  readonly options: readonly Option[]
  readonly subcommands: readonly { readonly name: string; readonly description: string }[]
  /** What may stand for its arguments, where that is known. */
  readonly words: readonly string[]
  readonly examples: readonly string[]
}

/** Every command people use, the program first; hidden ones are left out. */
export function commandEntries(program: Command): CommandEntry[] {
  return entriesOf(program, '')
}

function entriesOf(command: Command, path: string): CommandEntry[] {
  const help = command.createHelp()
  const visible = help.visibleCommands(command).filter((child) => child.name() !== 'help')
  const entry: CommandEntry = {
    path,
    description: command.description(),
    usage: command.usage(),
    options: help.visibleOptions(command),
    subcommands: visible.map((child) => ({ name: child.name(), description: child.description() })),
    words: command.registeredArguments.flatMap(
      (argument) => argument.argChoices ?? (argument.name() === 'part' ? [...parts] : []),
    ),
    examples: examplesOf(command),
  }
  return [entry, ...visible.flatMap((child) => entriesOf(child, `${path} ${child.name()}`.trim()))]
}

/** The lines below `Examples:` of a command's help. */
function examplesOf(command: Command): string[] {
  let text = ''
  const output = command.configureOutput()
  command.configureOutput({ ...output, writeOut: (piece) => (text += piece) })
  command.outputHelp()
  command.configureOutput(output)
  const [, after = ''] = text.split(/^Examples?:$/m)
  return after
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
