import { boundedRegExp, standardTokenPattern } from '@logstack/rules'
import { type Analyzer, analyze, type Token } from './token.ts'

/** How the texts of a field are cut into words, where that is not simply the standard analyzer's way. */
export interface FieldWords {
  /** Equal for fields that cut alike. */
  readonly key: string
  readonly index: Analyzer
  readonly search: Analyzer
  /** For phrases. */
  readonly quoted: Analyzer
}

/** Stands around what is no plain letter: itself a letter, so that an encoded word is one word to the standard analyzer, too. */
const mark = 'ǁ'
/** Stands where analysis took a word away, and between what must not run together. No word is written like that. */
const gap = mark + mark
/** Places without a word that are kept between two words. */
const gapsMax = 20

const plain = /^[a-z0-9_]+$/u
const plainWord = boundedRegExp(`^(?:${standardTokenPattern})$`, 'u')

/** A word as a column holds it: any characters written as letters and digits, character by character, so that a prefix stays one. */
export function encodeWord(word: string): string {
  if (plain.test(word)) return word
  let encoded = ''
  for (const character of word)
    encoded += isPlain(character) ? character : mark + Buffer.from(character).toString('hex') + mark
  return encoded
}

/** Letters without a capital form and digits stay as they are. */
function isPlain(character: string): boolean {
  if (character === mark) return false
  return plain.test(character) || (/[\p{Ll}\p{Lo}]/u.test(character) && plainWord.test(character))
}

/**
 * A text as its column holds it: the words an analyzer makes, in order. Words at one place follow after a gap, and once more the text with the
 * last word of each place, so that phrases of one reading are found.
 */
export function columnText(analyzer: Analyzer, text: string): string {
  const places = wordsByPlace(analyze(analyzer, text))
  const first = places.map((words) => words[0] ?? gap).join(' ')
  if (!places.some(({ length }) => length > 1)) return first
  const between = places.flatMap((words) => words.slice(1, -1))
  const last = places.map((words) => words.at(-1) ?? gap).join(' ')
  return [first, ...between, last].join(` ${gap} `)
}

/** What stands for each other at one place of a searched text: single words, or several in a row. */
export type Place = readonly (readonly string[])[]

/** Ways to read one place at most, and the words of all of them together. */
const pathsMax = 64
const pathWordsMax = 4_096

/** The words a search looks for, by place, written by `write`; where words were taken away there is a gap of its own. */
export function searchPlaces(analyzer: Analyzer, text: string, write: (word: string) => string): readonly Place[] {
  const starting = new Map<number, Token[]>()
  let [first, last] = [Number.POSITIVE_INFINITY, 0]
  for (const token of analyze(analyzer, text)) {
    const here = starting.get(token.position)
    if (here) here.push(token)
    else starting.set(token.position, [token])
    first = Math.min(first, token.position)
    last = Math.max(last, endOf(token))
  }
  const places: Place[] = []
  for (let from = first; from < last; ) {
    if (!starting.has(from)) {
      places.push([[gap]])
      from++
      continue
    }
    // A place ends where no word reaches over.
    let to = from + 1
    for (let at = from; at < to; at++) for (const token of starting.get(at) ?? []) to = Math.max(to, endOf(token))
    places.push(distinct(pathsOf(starting, from, to, write)))
    from = to
  }
  return places
}

function endOf({ position, positionLength = 1 }: Token): number {
  return position + positionLength
}

/**
 * The ways from one place to another along the words, the first of them. From the right, with the ways of every position kept once: their
 * number is a Fibonacci number of the length, where words of one and of two positions begin everywhere.
 */
function pathsOf(
  starting: ReadonlyMap<number, readonly Token[]>,
  from: number,
  to: number,
  write: (word: string) => string,
): string[][] {
  const most = Math.max(1, Math.min(pathsMax, Math.floor(pathWordsMax / (to - from))))
  const ways = new Map<number, readonly Way[]>()
  const waysAt = (position: number): readonly Way[] => (position >= to ? [undefined] : (ways.get(position) ?? []))
  for (let position = to - 1; position >= from; position--) {
    const steps = starting.get(position)?.map((token) => ({ word: write(token.text), end: endOf(token) }))
    const found: Way[] = []
    for (const { word, end } of steps ?? [{ word: gap, end: position + 1 }])
      for (const rest of waysAt(end).slice(0, most - found.length)) found.push({ word, rest })
    ways.set(position, found)
  }
  return waysAt(from).map(wordsOf)
}

/** A word and those after it, which several ways share; the end of all is undefined. */
type Way = { readonly word: string; readonly rest: Way } | undefined

function wordsOf(way: Way): string[] {
  const words: string[] = []
  for (let at = way; at !== undefined; at = at.rest) words.push(at.word)
  return words
}

function distinct(paths: readonly (readonly string[])[]): Place {
  return [...new Map(paths.map((path) => [path.join('\0'), path])).values()]
}

/** Whether a place has no word of its own. */
export function isGap(place: Place): boolean {
  return place[0]?.[0] === gap
}

/** A place without words is an empty list; none stand at the beginning and the end. */
function wordsByPlace(tokens: readonly Token[]): string[][] {
  const places: string[][] = []
  let at: number | undefined
  for (const token of [...tokens].sort((a, b) => a.position - b.position)) {
    const word = encodeWord(token.text)
    if (at !== undefined && token.position === at) places.at(-1)?.push(word)
    else {
      for (let free = at === undefined ? 0 : Math.min(gapsMax, token.position - at - 1); free > 0; free--)
        places.push([])
      places.push([word])
      at = token.position
    }
  }
  return places.map((words) => [...new Set(words)])
}

/** What encoding puts around other characters than plain ones, and what it writes for a place without a word; for the SQL that undoes it. */
export const encodedMarks = { mark, gap } as const

/** What `encodeWord` wrote. */
export function decodeWord(encoded: string): string {
  return encoded
    .split(mark)
    .map((piece, at) => (at % 2 === 1 ? Buffer.from(piece, 'hex').toString('utf8') : piece))
    .join('')
}
