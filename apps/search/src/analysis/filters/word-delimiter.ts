import type { FilterTokens, Token } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import type { Options } from '../options.ts'

type Kind = 'lower' | 'upper' | 'digit' | 'mark'

interface Rules {
  readonly words: boolean
  readonly numbers: boolean
  readonly joinWords: boolean
  readonly joinNumbers: boolean
  readonly joinAll: boolean
  readonly caseChange: boolean
  readonly numerics: boolean
  readonly original: boolean
  readonly genitive: boolean
  readonly protectedWords: ReadonlySet<string>
  readonly types: ReadonlyMap<string, Kind>
}

/** Cuts words at marks, changes of case and numbers. */
export function wordDelimiter(options: Options): FilterTokens {
  const rules: Rules = {
    words: options.flag('generate_word_parts', true),
    numbers: options.flag('generate_number_parts', true),
    joinWords: options.flag('catenate_words', false),
    joinNumbers: options.flag('catenate_numbers', false),
    joinAll: options.flag('catenate_all', false),
    caseChange: options.flag('split_on_case_change', true),
    numerics: options.flag('split_on_numerics', true),
    original: options.flag('preserve_original', false),
    genitive: options.flag('stem_english_possessive', true),
    protectedWords: new Set(options.list('protected_words') ?? []),
    types: typesOf(options.lines('type_table') ?? []),
  }
  const adjusts = options.flag('adjust_offsets', true)
  return (tokens) => {
    let shift = 0
    return tokens.flatMap((token) => {
      const parts = rules.protectedWords.has(token.text) || token.keyword === true ? undefined : partsOf(token, rules)
      if (!parts) return [{ ...token, position: token.position + shift }]
      const span = adjusts ? {} : { start: token.start, end: token.end }
      const placed = parts.map((part) => ({ ...part, ...span, position: part.position + shift }))
      for (const part of placed) shift = Math.max(shift, part.position - token.position)
      return placed
    })
  }
}

const kinds: Readonly<Record<string, Kind>> = {
  LOWER: 'lower',
  UPPER: 'upper',
  ALPHA: 'lower',
  DIGIT: 'digit',
  ALPHANUM: 'lower',
  SUBWORD_DELIM: 'mark',
}

function typesOf(lines: readonly string[]): Map<string, Kind> {
  const types = new Map<string, Kind>()
  for (const line of lines) {
    const rule = /^(.*)\s*=>\s*(\w+)\s*$/u.exec(line.trim())
    const kind = rule?.[2] === undefined ? undefined : kinds[rule[2]]
    if (!rule || !kind) continue
    types.set(
      (rule[1] ?? '')
        .trim()
        .replace(/\\u([0-9a-fA-F]{4})/gu, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
      kind,
    )
  }
  return types
}

function kindOf(letter: string, types: Rules['types']): Kind {
  const given = types.get(letter)
  if (given) return given
  if (/\p{Nd}/u.test(letter)) return 'digit'
  if (/\p{Lu}/u.test(letter)) return 'upper'
  return /[\p{L}\p{M}]/u.test(letter) ? 'lower' : 'mark'
}

interface Part {
  readonly from: number
  readonly to: number
  readonly number: boolean
}

function cut(text: string, rules: Rules): Part[] {
  const parts: Part[] = []
  let from = -1
  let before: Kind = 'mark'
  const close = (to: number) => {
    if (from >= 0)
      parts.push({
        from,
        to,
        number: [...text.slice(from, to)].every((letter) => kindOf(letter, rules.types) === 'digit'),
      })
    from = -1
  }
  let at = 0
  for (const letter of text) {
    const kind = kindOf(letter, rules.types)
    const changes =
      (rules.caseChange && before === 'lower' && kind === 'upper') ||
      (rules.numerics && before !== 'mark' && (before === 'digit') !== (kind === 'digit'))
    if (kind === 'mark' || changes) close(at)
    if (kind !== 'mark' && from < 0) from = at
    before = kind
    at += letter.length
  }
  close(text.length)
  return parts
}

function partsOf(token: Token, rules: Rules): Token[] | undefined {
  const text = rules.genitive ? token.text.replace(/['’][sS](?=$|[^\p{L}\p{N}])/gu, '') : token.text
  const parts = cut(text, rules)
  const [only] = parts
  if (parts.length === 1 && only?.from === 0 && only.to === token.text.length) return undefined
  const exact = token.end - token.start === token.text.length
  const made = (from: number, to: number, shown: string, position: number, positionLength = 1): Token => ({
    ...token,
    text: shown,
    position,
    ...(positionLength > 1 ? { positionLength } : {}),
    ...(exact ? { start: token.start + from, end: token.start + to } : {}),
  })
  const shown = parts.filter((part) => (part.number ? rules.numbers : rules.words))
  const pieces = shown.map((part, at) => made(part.from, part.to, text.slice(part.from, part.to), token.position + at))
  const places = new Map(shown.map((part, at) => [part, at]))
  const joins = [
    ...(rules.joinWords ? runs(parts, false) : []),
    ...(rules.joinNumbers ? runs(parts, true) : []),
    ...(rules.joinAll && parts.length > 1 ? [parts] : []),
  ].map((run) => {
    const [first, last] = [run[0] as Part, run.at(-1) as Part]
    const place = places.get(first) ?? 0
    const joined = run.map(({ from, to }) => text.slice(from, to)).join('')
    return made(first.from, last.to, joined, token.position + place, shown.length === 0 ? 1 : run.length)
  })
  const original = rules.original ? [{ ...token, ...(pieces.length > 1 ? { positionLength: pieces.length } : {}) }] : []
  return [...original, ...joins, ...pieces].sort((a, b) => a.position - b.position || b.end - a.end)
}

/** Parts of one kind side by side, two or more. */
function runs(parts: readonly Part[], number: boolean): Part[][] {
  const found: Part[][] = []
  let run: Part[] = []
  for (const part of [...parts, undefined]) {
    if (part?.number === number) run.push(part)
    else {
      if (run.length > 1) found.push(run)
      run = []
    }
  }
  return found
}

/** `word_delimiter`: words cut at marks, changes of case and numbers. */
export const wordDelimiterFilter = defineComponent<FilterTokens>({ name: 'word_delimiter', create: wordDelimiter })
