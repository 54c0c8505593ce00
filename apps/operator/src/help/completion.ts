import type { CommandEntry } from './command-tree.ts'

/** The shells completion is written for. */
export const completionShells = ['bash', 'zsh'] as const

/** A completion script for bash (`source <(logstack completion bash)`) or zsh (`_logstack` in a folder of `$fpath`). */
export function renderCompletion(shell: (typeof completionShells)[number], entries: readonly CommandEntry[]): string {
  return shell === 'bash' ? bash(entries) : zsh(entries)
}

const optionsOf = (entry: CommandEntry): string[] => entry.options.flatMap((option) => option.long ?? [])
const wordsOf = (entry: CommandEntry): string[] => [
  ...entry.subcommands.map(({ name }) => name),
  ...entry.words,
  ...optionsOf(entry),
]

// The path of a command is the words typed so far that are commands; options and their values end it.
const readPath = (entries: readonly CommandEntry[]): string =>
  entries
    .filter(({ path }) => path !== '')
    .map(({ path }) => `      '${path}') path=$next ;;`)
    .join('\n')

function bash(entries: readonly CommandEntry[]): string {
  const cases = entries.map((entry) => `    '${entry.path}') words='${wordsOf(entry).join(' ')}' ;;`)
  return `# bash completion of logstack; written by: logstack completion bash
_logstack() {
  local current=\${COMP_WORDS[COMP_CWORD]} path='' next word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next="\${path:+$path }$word"
    case $next in
${readPath(entries)}
    esac
  done
  case $path in
${cases.join('\n')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _logstack logstack ./logstack
`
}

function zsh(entries: readonly CommandEntry[]): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''").replaceAll(':', '\\:')}'`
  const cases = entries.map((entry) => {
    const described = [
      ...entry.subcommands.map(
        ({ name, description }) => `${quoted(name).slice(0, -1)}:${quoted(description).slice(1)}`,
      ),
      ...entry.words.map((word) => `'${word}'`),
      ...entry.options.flatMap(({ long, description }) => (long ? [`'${long}:${quoted(description).slice(1)}`] : [])),
    ]
    return `    '${entry.path}') found=(${described.join(' ')}) ;;`
  })
  return `#compdef logstack
# zsh completion of logstack; written by: logstack completion zsh
_logstack() {
  local path='' next word
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    next="\${path:+$path }$word"
    case $next in
${readPath(entries)}
    esac
  done
  case $path in
${cases.join('\n')}
  esac
  _describe logstack found || _files
}
if [ "$funcstack[1]" = _logstack ]; then _logstack "$@"; else compdef _logstack logstack; fi
`
}
