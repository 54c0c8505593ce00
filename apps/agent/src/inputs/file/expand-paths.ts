import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const wild = /[*?]/
/** Patterns are looked at several times a second. */
const known = new Map<string, RegExp>()
const knownMax = 1_000

/** Absolute paths that match a pattern with `*` and `?` within a path component; unreadable and absent folders match nothing. */
export function expandPaths(pattern: string): string[] {
  const steps = pattern.split('/').slice(1)
  let paths = ['/']
  for (const [index, step] of steps.entries()) {
    if (!wild.test(step)) {
      paths = paths.map((path) => join(path, step))
      continue
    }
    const matcher = patternOf(step)
    const isLast = index === steps.length - 1
    paths = paths.flatMap((path) =>
      namesIn(path, isLast).flatMap((name) => (matcher.test(name) ? [join(path, name)] : [])),
    )
  }
  return paths
}

/** Whether a path fits a pattern as `expandPaths` reads it, in which `**` as a component is any components, or none. */
export function pathMatches(path: string, pattern: string): boolean {
  return componentsMatch(path.split('/'), pattern.split('/'))
}

function componentsMatch(names: readonly string[], steps: readonly string[]): boolean {
  const anywhere = steps.indexOf('**')
  if (anywhere < 0) {
    return steps.length === names.length && steps.every((step, index) => patternOf(step).test(names[index] ?? ''))
  }
  if (!componentsMatch(names.slice(0, anywhere), steps.slice(0, anywhere))) return false
  const rest = steps.slice(anywhere + 1)
  return names.slice(anywhere).some((_, at) => componentsMatch(names.slice(anywhere + at), rest)) || rest.length === 0
}

function patternOf(step: string): RegExp {
  const found = known.get(step)
  if (found) return found
  const source = step
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  const pattern = new RegExp(`^${source}$`)
  if (known.size >= knownMax) known.clear()
  known.set(step, pattern)
  return pattern
}

/** The names in a folder, sorted; none of one that is absent or unreadable. Folders only, unless `filesToo`. */
export function namesIn(folder: string, filesToo: boolean): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => filesToo || entry.isDirectory() || entry.isSymbolicLink())
      .map((entry) => entry.name)
      .sort()
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return []
    throw thrown
  }
}
