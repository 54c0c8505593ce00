/** Reads an environment file as podman does: `NAME=value` lines, values to the end of the line without quotes, `#` comments. */
export function parseEnvironmentFile(text: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trimStart()
    const equals = line.indexOf('=')
    if (line.startsWith('#') || equals < 1) continue
    found[line.slice(0, equals).trim()] = line.slice(equals + 1).trimEnd()
  }
  return found
}

/** The text with the given names set; other lines, comments and their order stay. `undefined` removes a name. */
export function setInEnvironmentFile(text: string, values: Readonly<Record<string, string | undefined>>): string {
  const pending = new Map(Object.entries(values))
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n')
  const kept = lines.flatMap((line) => {
    const name = /^\s*([A-Za-z_][A-Za-z0-9_]*)\s*=/.exec(line)?.[1]
    if (name === undefined || !(name in values)) return [line]
    const value = pending.get(name)
    pending.delete(name)
    return value === undefined ? [] : [`${name}=${value}`]
  })
  for (const [name, value] of pending) if (value !== undefined) kept.push(`${name}=${value}`)
  return `${kept.join('\n')}\n`
}
