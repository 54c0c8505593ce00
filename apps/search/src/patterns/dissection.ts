/** A key of a pattern of DISSECT, and what stands behind it. */
export interface DissectionKey {
  readonly name: string
  readonly kind: 'field' | 'append' | 'skip' | 'reference-name' | 'reference-value'
  /** Where it stands among those of its name, behind all that say nothing of it (-1). */
  readonly order: number
  readonly padded: boolean
  /** The text after the key; empty only behind the last. */
  readonly delimiter: string
}

/** A pattern of `%{keys}` in parts: what texts begin with, and its keys in order. */
export interface Dissection {
  readonly prefix: string
  readonly keys: readonly DissectionKey[]
}

const kinds = { '+': 'append', '?': 'skip', '*': 'reference-name', '&': 'reference-value' } as const

/** Reads a pattern of `%{keys}`. `fault` makes the error of one that is wrong. */
export function parseDissection(pattern: string, fault: (reason: string) => Error): Dissection {
  const pieces = [...pattern.matchAll(/%\{([^}]*)\}([^%]*(?:%(?!\{)[^%]*)*)/g)]
  const first = pieces[0]
  if (!first) throw fault('Unable to find any keys or delimiters.')
  const keys = pieces.map(([, text = '', delimiter = ''], at): DissectionKey => {
    const [, mark = '', name = '', order, arrow] = /^([+?*&]?)([^/]*?)(?:\/(\d+))?(->)?$/.exec(text) ?? []
    if (delimiter === '' && at < pieces.length - 1) throw fault(`no delimiter between the keys [${text}] and the next`)
    if ((order !== undefined && mark !== '+') || /^[+?*&]/u.test(name)) throw fault(`invalid key [${text}]`)
    const kind = name === '' ? 'skip' : mark === '' ? 'field' : kinds[mark as keyof typeof kinds]
    return { name, kind, order: Number(order ?? -1), padded: arrow !== undefined, delimiter }
  })
  return { prefix: pattern.slice(0, first.index), keys }
}

/** The texts of the keys in their order; undefined when the text does not fit. */
function cut(text: string, { prefix, keys }: Dissection): string[] | undefined {
  if (!text.startsWith(prefix)) return undefined
  const values: string[] = []
  let at = prefix.length
  for (const { delimiter, padded } of keys) {
    const end = delimiter === '' ? text.length : text.indexOf(delimiter, at)
    if (end < 0) return undefined
    values.push(text.slice(at, end))
    at = end + delimiter.length
    while (padded && delimiter !== '' && text.startsWith(delimiter, at)) at += delimiter.length
  }
  return values
}

function fieldsOf(keys: readonly DissectionKey[], values: readonly string[], separator: string): Map<string, string> {
  const fields = new Map<string, string>()
  const names = new Map<string, string>()
  const found = keys.map((key, at) => ({ ...key, value: values[at] ?? '' }))
  for (const { kind, name, value } of found) {
    if (kind === 'field') fields.set(name, value)
    if (kind === 'reference-name') names.set(name, value)
  }
  const appended = new Set(found.filter(({ kind }) => kind === 'append').map(({ name }) => name))
  for (const name of appended) {
    const parts = found.filter((key) => key.name === name && (key.kind === 'append' || key.kind === 'field'))
    fields.set(
      name,
      parts
        .sort((a, b) => a.order - b.order)
        .map(({ value }) => value)
        .join(separator),
    )
  }
  for (const { kind, name, value } of found) {
    const target = kind === 'reference-value' ? names.get(name) : undefined
    if (target !== undefined) fields.set(target, value)
  }
  return fields
}

/** What a text gives by a pattern of `%{keys}` and what stands between them; undefined when the text does not fit. */
export type Dissect = (text: string) => ReadonlyMap<string, string> | undefined

/** Compiles a pattern; `separator` stands between the parts of keys that are appended to. `fault` makes the error of one that is wrong. */
export function compileDissection(pattern: string, separator: string, fault: (reason: string) => Error): Dissect {
  const dissection = parseDissection(pattern, fault)
  return (text) => {
    const values = cut(text, dissection)
    return values && fieldsOf(dissection.keys, values, separator)
  }
}
