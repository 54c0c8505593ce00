import type { CommandEntry } from './command-tree.ts'

/** The manual page logstack(8) in roff, from the commands themselves. */
export function renderManual(entries: readonly CommandEntry[], version: string): string {
  const [program, ...commands] = entries
  return [
    `.TH LOGSTACK 8 "" "logstack ${version}" "System administration"`,
    '.SH NAME',
    `logstack \\- ${roff(program?.description ?? '')}`,
    '.SH SYNOPSIS',
    '.B logstack',
    '[\\fIoptions\\fR] \\fIcommand\\fR',
    '.SH OPTIONS',
    ...optionsOf(program),
    '.SH COMMANDS',
    ...commands.flatMap(commandLines),
    '.SH FILES',
    ...files.flatMap(([path, meaning]) => ['.TP', `.I ${roff(path)}`, roff(meaning)]),
    '.SH EXIT STATUS',
    'Zero when what was asked for was done; otherwise the kind of the error, see docs/errors.md.',
    '',
  ].join('\n')
}

const files = [
  ['/opt/logstack/logstack-environment.env', 'what was chosen at the installation: IPVAR, the administrator'],
  ['/opt/logstack/Chapter 3 Files/certs/root-ca.crt', "the authority's certificate, for clients"],
  ['/opt/logstack/config', 'settings of the parts, every key explained'],
  ['/etc/containers/systemd', 'definitions of the containers; edits stay'],
  ['/etc/logstack/vault', 'secrets, in the format of ansible-vault'],
] as const

function commandLines(entry: CommandEntry): string[] {
  const examples = entry.examples.flatMap((line) => ['.br', `.B ${roff(line)}`])
  return [
    `.SS logstack ${roff(`${entry.path} ${entry.usage}`.trim())}`,
    `${roff(entry.description)}.`,
    ...optionsOf(entry),
    ...(examples.length > 0 ? ['.PP', 'Examples:', ...examples] : []),
  ]
}

function optionsOf(entry: CommandEntry | undefined): string[] {
  return (entry?.options ?? []).flatMap((option) => ['.TP', `.B ${roff(option.flags)}`, roff(option.description)])
}

// A line that begins with a dot or an apostrophe would be a request.
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1')
}
