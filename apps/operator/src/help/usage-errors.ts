import { meantName } from '@logstack/spelling'
import type { Command } from 'commander'

/** How a word too many or too few on the command line is answered: what is wrong, what was probably meant, and whose help says more. After all commands are registered. */
export function explainUsageErrors(program: Command, rendered: (fix: string) => string): void {
  // The whole help after an error would push the error out of sight.
  const help = './logstack --help lists the commands, ./logstack COMMAND --help what one takes'
  explain(program, `  fix: ${rendered(help)}`, program)
  for (const command of program.commands) pointToHelp(command, `./logstack ${command.name()}`, { program, rendered })
}

interface Surroundings {
  readonly program: Command
  readonly rendered: (fix: string) => string
}

function pointToHelp(command: Command, words: string, around: Surroundings): void {
  const what = command.commands.length > 0 ? 'lists its commands' : 'says what it takes'
  command.copyInheritedSettings(command.parent ?? command)
  explain(command, `  fix: ${around.rendered(`${words} --help ${what}`)}`, around.program)
  for (const below of command.commands) pointToHelp(below, `${words} ${below.name()}`, around)
}

function explain(command: Command, fix: string, program: Command): void {
  // The names that commander knows are only those of this command; more is said below.
  command.showSuggestionAfterError(false)
  command.configureOutput({
    outputError: (text, write) => write(`${text.replace(/^error: /, 'logstack: ')}${hint(command, program, text)}`),
  })
  command.showHelpAfterError(fix)
}

/** What was probably meant by an unknown word, as a line; nothing for other errors and where nothing is like it. */
function hint(command: Command, program: Command, error: string): string {
  const option = /unknown option '(-[^'=]+)/.exec(error)?.[1]
  if (option !== undefined) return placeOfOption(program, option) || meant(option, optionsAround(command))
  const word = /unknown command '([^']+)'/.exec(error)?.[1]
  if (word === undefined) return ''
  return meant(word, namesOf(command)) || placeOfCommand(program, word)
}

function meant(word: string, known: readonly string[]): string {
  const name = meantName(word, known)
  return name === undefined ? '' : `(did you mean ${name}?)\n`
}

/** The commands that take an option which was given to none of them. */
function placeOfOption(program: Command, option: string): string {
  const takers = commandsBelow(program, 'logstack').filter(({ command }) =>
    command.options.some(({ long, short }) => long === option || short === option),
  )
  if (takers.length === 0) return ''
  return `(${option} stands behind its command: ${takers.map(({ words }) => `${words} ${option}`).join(', ')})\n`
}

/** The commands of that name which stand below another one: `renew` is `certs renew`. */
function placeOfCommand(program: Command, word: string): string {
  const found = commandsBelow(program, 'logstack').filter(({ command }) => command.name() === word)
  return found.length === 0 ? '' : `(did you mean ${found.map(({ words }) => words).join(', ')}?)\n`
}

function namesOf(command: Command): readonly string[] {
  return shown(command).flatMap((below) => [below.name(), ...below.aliases()])
}

/** The long options of a command and of those above it. */
function optionsAround(command: Command): readonly string[] {
  const own = command.createHelp().visibleOptions(command)
  const names = own.flatMap(({ long }) => (long === undefined || long === null ? [] : [long]))
  return command.parent ? [...names, ...optionsAround(command.parent)] : names
}

function commandsBelow(command: Command, words: string): { readonly command: Command; readonly words: string }[] {
  return shown(command).flatMap((below) => {
    const path = `${words} ${below.name()}`
    return [{ command: below, words: path }, ...commandsBelow(below, path)]
  })
}

/** The commands below one that people use. */
function shown(command: Command): readonly Command[] {
  return command.createHelp().visibleCommands(command)
}
