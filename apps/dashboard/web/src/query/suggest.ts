/** What somebody who writes KQL may want next, from `from` to the cursor. */
export type Wanted =
  | { readonly kind: 'field'; readonly typed: string; readonly from: number }
  | { readonly kind: 'value'; readonly field: string; readonly typed: string; readonly from: number }
  | { readonly kind: 'joint'; readonly typed: string; readonly from: number }

const fieldName = '[\\w@.-]+'
const insideQuotes = new RegExp(`(${fieldName})\\s*:\\s*(?:\\([^()]*)?"([^"]*)$`, 'u')
const value = new RegExp(`(${fieldName})\\s*:\\s*([^\\s"():]*)$`, 'u')
const valueInList = new RegExp(`(${fieldName})\\s*:\\s*\\([^()]*?([^\\s"():]*)$`, 'u')
const word = /(?:^|[\s(])([\w@.-]*)$/u
const opensClause = /(?:^|\(|\b(?:and|or|not))\s*$/iu

/** What is wanted at the cursor: a field at the start of a clause, a value after its colon, `and` or `or` after a clause; undefined elsewhere. */
export function wantedAt(text: string, cursor: number): Wanted | undefined {
  const before = text.slice(0, cursor)
  const isQuoted = (before.match(/(?<!\\)"/gu) ?? []).length % 2 === 1
  if (isQuoted) return valueAt(insideQuotes.exec(before), cursor, 1)
  const found = valueAt(value.exec(before) ?? valueInList.exec(before), cursor, 0)
  if (found) return found
  const typed = word.exec(before)?.[1]
  if (typed === undefined) return undefined
  const from = cursor - typed.length
  if (opensClause.test(before.slice(0, from))) return { kind: 'field', typed, from }
  const isJoint = ['and', 'or'].some((joint) => joint.startsWith(typed.toLowerCase()))
  return isJoint && !/[<>]=?\s*$/u.test(before.slice(0, from)) ? { kind: 'joint', typed, from } : undefined
}

function valueAt(match: RegExpExecArray | null, cursor: number, quote: number): Wanted | undefined {
  const [, field, typed] = match ?? []
  if (field === undefined || typed === undefined) return undefined
  return { kind: 'value', field, typed, from: cursor - typed.length - quote }
}

/** A value as KQL wants it: plain where it is one word, else in quotes. */
export function kqlValue(text: string): string {
  const isPlain = /^[\w.-]+$/u.test(text) && !/^(?:and|or|not)$/iu.test(text)
  return isPlain ? text : `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

/** Field names that hold what was typed, those that begin with it first. */
export function namesLike(names: readonly string[], typed: string, max: number): string[] {
  const wanted = typed.toLowerCase()
  const fitting = names.filter((name) => name.toLowerCase().includes(wanted))
  const begins = (name: string): number => Number(name.toLowerCase().startsWith(wanted))
  return fitting.sort((left, right) => begins(right) - begins(left)).slice(0, max)
}
