import { endOfString } from './json-string.ts'

/** Where a member of a JSON object stands in its text: offsets of its name, its value, and the last letter of that. */
export interface MemberPlace {
  readonly name: number
  readonly value: number
  readonly last: number
}

/** Where the members of the outermost object of a JSON text stand, by their names; the text is right JSON. */
export function memberPlaces(text: string): ReadonlyMap<string, MemberPlace> {
  const places = new Map<string, MemberPlace>()
  let at = behindSpace(text, 0)
  if (text[at] !== '{') return places
  at = behindSpace(text, at + 1)
  while (text[at] === '"') {
    const name = at
    const end = valueEnd(text, at)
    const value = behindSpace(text, behindSpace(text, end) + 1)
    const last = valueEnd(text, value) - 1
    places.set(JSON.parse(text.slice(name, end)) as string, { name, value, last })
    at = behindSpace(text, last + 1)
    if (text[at] === ',') at = behindSpace(text, at + 1)
  }
  return places
}

/** Where the values of a list that begins at an offset stand. */
export function itemPlaces(text: string, list: number): readonly number[] {
  const places: number[] = []
  let at = behindSpace(text, list + 1)
  while (at < text.length && text[at] !== ']') {
    places.push(at)
    at = behindSpace(text, valueEnd(text, at))
    if (text[at] === ',') at = behindSpace(text, at + 1)
  }
  return places
}

/** Line and column of an offset, from 1. */
export function placeOf(text: string, offset: number): { readonly line: number; readonly col: number } {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, col: offset - before.lastIndexOf('\n') }
}

/** `[line:column]` of an offset. */
export function lineAndColumn(text: string, offset: number): string {
  const { line, col } = placeOf(text, offset)
  return `[${line}:${col}]`
}

function behindSpace(text: string, at: number): number {
  let end = at
  while (/\s/u.test(text[end] ?? '')) end += 1
  return end
}

/** Where the value ends that begins at an offset. */
function valueEnd(text: string, from: number): number {
  const token = /["{}[\]]|[^\s"{}[\],:]+/gu
  token.lastIndex = from
  let depth = 0
  for (let found = token.exec(text); found; found = token.exec(text)) {
    if (found[0] === '"') token.lastIndex = endOfString(text, found.index)
    else if (found[0] === '{' || found[0] === '[') depth += 1
    else if (found[0] === '}' || found[0] === ']') depth -= 1
    if (depth <= 0) return token.lastIndex
  }
  return text.length
}
