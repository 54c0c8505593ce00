import { readYamlMaps } from '@logstack/rules'

/** How a rule file reaches others: by the name it gives, relative to itself; throws an Error that says why not. */
export type ReadOther = (name: string) => string

const importsMax = 20

/**
 * A rule file with what it imports: keys of imported files stand below its own, filters of all come together. `!file PATH` entries of lists
 * are replaced by the file's lines, and `$key$` by the value of that key, as in ElastAlert. Throws an Error that says what is wrong.
 */
export function composeRule(value: Readonly<Record<string, unknown>>, readOther: ReadOther): Record<string, unknown> {
  const seen = new Set<string>()
  const merged = merge(value, readOther, seen)
  for (const list of ['blacklist', 'whitelist']) {
    const words = merged[list]
    if (Array.isArray(words)) merged[list] = words.flatMap((word) => linesOf(word, readOther))
  }
  const resolve = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(resolve)
    if (typeof node === 'object' && node !== null && !(node instanceof Date))
      return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, resolve(inner)]))
    const named = typeof node === 'string' ? /^\$(.+)\$$/u.exec(node)?.[1] : undefined
    const target = named === undefined ? undefined : merged[named]
    return target === undefined || typeof target === 'object' ? node : target
  }
  return resolve(merged) as Record<string, unknown>
}

function merge(
  value: Readonly<Record<string, unknown>>,
  readOther: ReadOther,
  seen: Set<string>,
): Record<string, unknown> {
  const { import: imports, ...own } = value
  if (imports === undefined) return own
  const names = typeof imports === 'string' ? [imports] : Array.isArray(imports) ? imports.map(String) : []
  if (names.length === 0) throw new Error('import names a file or a list of files')
  let merged: Record<string, unknown> = {}
  for (const name of names) {
    if (seen.has(name) || seen.size >= importsMax) throw new Error(`import of [${name}] goes in a circle or too deep`)
    seen.add(name)
    const read = readYamlMaps(readOther(name))
    if ('problem' in read) throw new Error(`import of [${name}]: line ${read.problem.line}: ${read.problem.message}`)
    for (const { value: imported } of read) merged = below(merge(imported, readOther, seen), merged)
  }
  return below(own, merged)
}

function below(
  upper: Readonly<Record<string, unknown>>,
  lower: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const filters = [lower['filter'], upper['filter']].flatMap((filter) =>
    filter === undefined || filter === null ? [] : filter,
  )
  return { ...lower, ...upper, ...(filters.length > 0 ? { filter: filters } : {}) }
}

function linesOf(word: unknown, readOther: ReadOther): unknown[] {
  const name = typeof word === 'string' ? /^!file\s+"?(.+?)"?$/u.exec(word)?.[1] : undefined
  if (name === undefined) return [word]
  return readOther(name)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
