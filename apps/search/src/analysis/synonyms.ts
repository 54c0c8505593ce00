import type { FindFilter } from './component.ts'
import { illegalOption, type Options } from './options.ts'
import type { FilterTokens, Token } from './token.ts'

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

/** All phrases of a rule from one place on. As a graph, a shorter one covers the places of the longest. */
function side(rule: Rule, matched: readonly Token[], position: number, graph: boolean) {
  const [first, last] = [matched[0] as Token, matched.at(-1) as Token]
  const own = rule.from.join(' ')
  const longest = Math.max(...rule.to.map((phrase) => phrase.length))
  const width = graph ? longest : Math.max(1, Math.min(matched.length, longest))
  const placed = rule.to.flatMap((phrase) =>
    phrase.map((text, step): Token => {
      const original = phrase.join(' ') === own ? matched[step] : undefined
      const spans = graph && step === phrase.length - 1 ? longest - phrase.length + 1 : 1
      return {
        text,
        start: (original ?? first).start,
        end: (original ?? last).end,
        position: position + step,
        type: original ? original.type : 'SYNONYM',
        ...(spans > 1 ? { positionLength: spans } : {}),
      }
    }),
  )
  return { placed: placed.sort((a, b) => a.position - b.position), width: graph ? longest : width }
}
