import type { Command } from 'commander'

/** How a word too many or too few on the command line is answered: what is wrong, where it would be right, and whose help says more. After all commands are registered. */
export function explainUsageErrors(program: Command, rendered: (fix: string) => string): void {
  program.configureOutput({
    outputError: (text, write) => write(`${text.replace(/^error: /, 'logstack: ')}${placeOfOption(program, text)}`),
  })
  // The whole help after an error would push the error out of sight.
  const help = './logstack --help lists the commands, ./logstack COMMAND --help what one takes'
  program.showHelpAfterError(`  fix: ${rendered(help)}`)
  for (const command of program.commands) pointToHelp(command, `./logstack ${command.name()}`, rendered)
}

function pointToHelp(command: Command, words: string, rendered: (fix: string) => string): void {
  command.copyInheritedSettings(command.parent ?? command)
  const what = command.commands.length > 0 ? 'lists its commands' : 'says what it takes'
  command.showHelpAfterError(`  fix: ${rendered(`${words} --help ${what}`)}`)
  for (const below of command.commands) pointToHelp(below, `${words} ${below.name()}`, rendered)
}

/** The commands that take an option which was given to none of them, as a line; nothing where no command does. */
function placeOfOption(program: Command, error: string): string {
  const option = /unknown option '(-[^'=]+)/.exec(error)?.[1]
  const takers = commandsBelow(program, 'logstack').filter(({ command }) =>
    command.options.some(({ long, short }) => long === option || short === option),
  )
  if (option === undefined || takers.length === 0) return ''
  return `(${option} stands behind its command: ${takers.map(({ words }) => `${words} ${option}`).join(', ')})\n`
}

function commandsBelow(command: Command, words: string): { readonly command: Command; readonly words: string }[] {
  return command.commands.flatMap((below) => {
    const path = `${words} ${below.name()}`
    return [{ command: below, words: path }, ...commandsBelow(below, path)]
  })
}
