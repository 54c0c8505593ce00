import type { FilterTokens, Token } from '../tokens/token.ts'
import type { FindFilter } from './component.ts'
import { illegalOption, type Options } from './options.ts'

/** Words in order that stand for each other. */
type Phrase = readonly string[]

interface Rule {
  readonly from: Phrase
  readonly to: readonly Phrase[]
}

/** A filter that puts synonyms beside or in place of words; of several rules the one with the most words wins. */
export function synonymFilter(options: Options, find: FindFilter, graph: boolean): FilterTokens {
  const written = options.lines('synonyms')
  if (!written)
    throw illegalOption('synonym requires either `synonyms`, `synonyms_set` or `synonyms_path` to be configured')
  const split = find('') ?? ((text: string) => text.split(/\s+/u).filter((word) => word !== ''))
  const rules = rulesOf(written, options.flag('expand', true), split)
  const byFirst = new Map<string, Rule[]>()
  for (const rule of rules) {
    const first = rule.from[0] ?? ''
    byFirst.set(first, [...(byFirst.get(first) ?? []), rule])
  }
  return (tokens) => replaceAll(tokens, byFirst, graph)
}

function rulesOf(lines: readonly string[], expand: boolean, split: (text: string) => readonly string[]): Rule[] {
  const to = new Map<string, Rule>()
  const add = (from: Phrase, phrases: readonly Phrase[]) => {
    if (from.length === 0) return
    const key = from.join(' ')
    const all = [...(to.get(key)?.to ?? []), ...phrases]
    const unlike = new Map(all.map((phrase) => [phrase.join(' '), phrase]))
    to.set(key, { from, to: [...unlike.values()] })
  }
  for (const line of lines) {
    const text = line.trim()
    if (text === '' || text.startsWith('#')) continue
    const sides = text.split('=>')
    if (sides.length > 2)
      throw illegalOption(`failed to build synonyms: more than one explicit mapping specified on the same line`)
    const [left = [], right] = sides.map((side) => side.split(',').map((phrase) => split(phrase.trim())))
    if (right) for (const from of left) add(from, right)
    else for (const from of left) add(from, expand ? [from, ...left] : left.slice(0, 1))
  }
  return [...to.values()]
}

function replaceAll(tokens: readonly Token[], byFirst: ReadonlyMap<string, readonly Rule[]>, graph: boolean): Token[] {
  const made: Token[] = []
  let shift = 0
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at] as Token
    const rule = longest(byFirst.get(token.text) ?? [], tokens, at)
    if (!rule) {
      made.push({ ...token, position: token.position + shift })
      at++
      continue
    }
    const matched = tokens.slice(at, at + rule.from.length)
    const { placed, width } = side(rule, matched, token.position + shift, graph)
    made.push(...placed)
    shift += width - matched.length
    at += matched.length
  }
  return made
}

function longest(rules: readonly Rule[], tokens: readonly Token[], at: number): Rule | undefined {
  return rules
    .filter(({ from }) => from.every((word, step) => tokens[at + step]?.text === word))
    .reduce<Rule | undefined>((best, rule) => (best && best.from.length >= rule.from.length ? best : rule), undefined)
}

/** All phrases of a rule from one place on. */
function side(rule: Rule, matched: readonly Token[], position: number, graph: boolean) {
  const own = rule.from.join(' ')
  const isOwn = (phrase: Phrase) => phrase.join(' ') === own
  const made = graph ? asGraph(rule, isOwn, position) : inRow(rule, isOwn, position, matched.length)
  const [first, last] = [matched[0] as Token, matched.at(-1) as Token]
  const placed = made.words.map(({ text, at, covers, original }): Token => {
    const token = original === undefined ? undefined : matched[original]
    return {
      text,
      start: (token ?? first).start,
      end: (token ?? last).end,
      position: at,
      type: token ? token.type : 'SYNONYM',
      ...(covers > 1 ? { positionLength: covers } : {}),
    }
  })
  return { placed: placed.sort((a, b) => a.position - b.position), width: made.width }
}

interface Words {
  readonly words: readonly { text: string; at: number; covers: number; original: number | undefined }[]
  readonly width: number
}

/** Phrases word by word from the same place; a single word that stands for several covers all of theirs. */
function inRow(rule: Rule, isOwn: (phrase: Phrase) => boolean, position: number, matched: number): Words {
  const longest = Math.max(...rule.to.map((phrase) => phrase.length))
  const words = rule.to.flatMap((phrase) =>
    phrase.map((text, step) => ({
      text,
      at: position + step,
      covers: phrase.length === 1 && rule.to.length > 1 ? matched : 1,
      original: isOwn(phrase) ? step : undefined,
    })),
  )
  return { words, width: Math.max(1, Math.min(matched, longest)) }
}

/** Phrases as ways of their own from one place to another: no word of one leads to a word of another. What was there comes last. */
function asGraph(rule: Rule, isOwn: (phrase: Phrase) => boolean, position: number): Words {
  const phrases = [...rule.to.filter((phrase) => !isOwn(phrase)), ...rule.to.filter(isOwn)]
  const width = 1 + phrases.reduce((sum, { length }) => sum + length - 1, 0)
  let free = position + 1
  const words = phrases.flatMap((phrase) => {
    const places = phrase.map((_, step) => (step === 0 ? position : free++))
    return phrase.map((text, step) => {
      const at = places[step] ?? position
      return {
        text,
        at,
        covers: (places[step + 1] ?? position + width) - at,
        original: isOwn(phrase) ? step : undefined,
      }
    })
  })
  return { words, width }
}
