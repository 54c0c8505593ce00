/** Texts and names in quotes, comments, and what groups or parts commands. */
const piece = /("""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|`(?:``|[^`])*`)|(\/\/[^\n]*|\/\*[\s\S]*?\*\/)|[([\])|]/gu

/** The commands of a query, in order, without comments and what surrounds them; pipes within quotes or brackets part nothing. */
export function commandsOf(query: string): string[] {
  const commands: string[] = []
  let command = ''
  let depth = 0
  let from = 0
  for (const { 0: found, 1: quoted, 2: comment, index } of query.matchAll(piece)) {
    command += query.slice(from, index)
    from = index + found.length
    if (comment !== undefined) command += ' '
    else if (found === '|' && depth === 0) {
      commands.push(command.trim())
      command = ''
    } else {
      command += found
      if (quoted === undefined && found !== '|') depth = Math.max(0, depth + ('(['.includes(found) ? 1 : -1))
    }
  }
  return [...commands, (command + query.slice(from)).trim()]
}

/** The name of a command, in capitals: `STATS`. */
export function commandName(command: string): string {
  return /^[a-z_]+/iu.exec(command)?.[0].toUpperCase() ?? ''
}

/** The indices that a query reads, as one expression (`logs-*,metrics-*`); undefined for one that reads none, or those of other queries. */
export function indicesOf(query: string): string | undefined {
  const [source = ''] = commandsOf(query)
  const [, names = ''] = /^(?:FROM|TS)\s+([\s\S]+?)(?:\s+\[?METADATA\s[\s\S]*)?$/iu.exec(source) ?? []
  if (names === '' || names.includes('(')) return undefined
  const unquoted = names.split(',').map((name) => name.trim().replaceAll(/^(?:"""|")|(?:"""|")$/gu, ''))
  return unquoted.filter((name) => name !== '').join(',') || undefined
}

/** The parameters that stand for the start and the end of the page's time range. */
export const timeParameters = { start: '_tstart', end: '_tend' } as const

const namesTime = /\?(?:_tstart|_tend)\b/u
const bucketCall = /\b(?:auto_)?bucket\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/giu

/** The query without comments, its quoted texts and names empty. */
function bareText(query: string): string {
  return commandsOf(query)
    .join(' | ')
    .replaceAll(piece, (found, quoted: unknown) => (quoted === undefined ? found : '""'))
}

/** The names of a query's parameters: `x` of `?x` and of `??x`. */
export function namesOfParameters(query: string): ReadonlySet<string> {
  return new Set([...bareText(query).matchAll(/\?\??([a-z_]\w*)/giu)].map(([, name = '']) => name))
}

/** Whether a query names the page's time range (`?_tstart`, `?_tend`), and does so to choose its documents, not only to size its buckets. */
export function timeUseOf(query: string): { readonly isNamed: boolean; readonly isChosen: boolean } {
  const bare = bareText(query)
  return { isNamed: namesTime.test(bare), isChosen: namesTime.test(bare.replaceAll(bucketCall, '')) }
}
