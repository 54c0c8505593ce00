/** What on a host stands for the commands of an embedded stack, the longer ones first. */
const hostCommands: readonly (readonly [embedded: string, host: string])[] = [
  ['./logstack down && ./logstack up', 'sudo logstack install --yes'],
  ['./logstack up --detach', 'sudo systemctl start logstack.service'],
  ['./logstack up', 'sudo logstack install --yes'],
  ['./logstack ', 'sudo logstack '],
]

/** Which stack a fix is for: that in a named data directory, or that of the host, or the only one there is. */
export interface FixPlace {
  readonly dataDir?: string | undefined
  readonly onHost?: boolean
}

/** A fix as the person can type it: for the stack of the host, or with `--data` where the stack was named with it. */
export function renderFix(fix: string, of: FixPlace = {}): string {
  if (of.dataDir !== undefined) {
    const quoted = /^[\w@%+=:,./-]+$/.test(of.dataDir) ? of.dataDir : `'${of.dataDir.replaceAll("'", `'\\''`)}'`
    // What names another stack already is meant for that one.
    return fix.replaceAll(/\.\/logstack (?!--data )/g, () => `./logstack --data ${quoted} `)
  }
  if (!of.onHost) return fix
  return hostCommands.reduce((text, [embedded, host]) => text.replaceAll(embedded, host), fix)
}
