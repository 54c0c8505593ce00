import { type Document, exists, isAnalysed, isWithin, valuesOf, wordsOf } from './document.ts'

/** Whether a document fits. */
export type Test = (document: Document) => boolean

interface Token {
  readonly text: string
  readonly kind: 'word' | 'quoted' | 'sign'
}

/** A query of an export as a test; an empty one fits all. Reads what the exports hold: KQL, and Lucene where it means the same. */
export function queryTest(query: unknown): Test {
  const text = typeof query === 'string' ? query.trim() : ''
  if (text === '') return () => true
  const tokens = tokensOf(text)
  const test = anyOf(tokens)
  if (tokens.length > 0) throw new Error(`cannot read the query ${text}: at ${tokens[0]?.text}`)
  return test
}

function tokensOf(text: string): Token[] {
  const found = text.matchAll(/"((?:\\.|[^"\\])*)"|([():]|[<>]=?)|([^\s():<>"]+)/g)
  return [...found].map(([, quoted, sign, word]): Token => {
    if (sign !== undefined) return { text: sign, kind: 'sign' }
    if (quoted !== undefined) return { text: quoted.replaceAll(/\\(.)/g, '$1'), kind: 'quoted' }
    return { text: word ?? '', kind: 'word' }
  })
}

const isKeyword = (token: Token | undefined, keyword: string): boolean =>
  token?.kind === 'word' && token.text.toLowerCase() === keyword

function anyOf(tokens: Token[], field?: string): Test {
  const tests = [allOf(tokens, field)]
  while (isKeyword(tokens[0], 'or')) {
    tokens.shift()
    tests.push(allOf(tokens, field))
  }
  return (document) => tests.some((test) => test(document))
}

function allOf(tokens: Token[], field?: string): Test {
  const tests = [notOf(tokens, field)]
  while (isKeyword(tokens[0], 'and')) {
    tokens.shift()
    tests.push(notOf(tokens, field))
  }
  return (document) => tests.every((test) => test(document))
}

function notOf(tokens: Token[], field?: string): Test {
  if (!isKeyword(tokens[0], 'not')) return primaryOf(tokens, field)
  tokens.shift()
  const test = notOf(tokens, field)
  return (document) => !test(document)
}

function primaryOf(tokens: Token[], field?: string): Test {
  const token = tokens.shift()
  if (!token) throw new Error('the query ends too early')
  if (token.kind === 'sign' && token.text === '(') {
    const test = anyOf(tokens, field)
    tokens.shift()
    return test
  }
  const sign = tokens[0]?.kind === 'sign' ? tokens[0].text : ''
  if (field === undefined && sign === ':') {
    tokens.shift()
    return tokens[0]?.text === '(' ? primaryOf(tokens, token.text) : valueTest(token.text, literal(tokens))
  }
  if (field === undefined && /^[<>]/.test(sign)) {
    tokens.shift()
    return limitTest(token.text, sign, Number(literal(tokens).text))
  }
  return field === undefined ? freeTest(literal(tokens, token)) : valueTest(field, literal(tokens, token))
}

/** A value: quoted, or all words up to the next sign or keyword. */
function literal(tokens: Token[], first = tokens.shift()): Token {
  if (!first) throw new Error('a value is missing')
  const words = [first.text]
  while (first.kind === 'word' && tokens[0]?.kind === 'word' && !/^(and|or|not)$/i.test(tokens[0].text)) {
    words.push(tokens.shift()?.text ?? '')
  }
  return { text: words.join(' '), kind: first.kind }
}

function limitTest(field: string, sign: string, limit: number): Test {
  return (document) =>
    valuesOf(document, field).some((value) => {
      if (sign === '>') return Number(value) > limit
      if (sign === '>=') return Number(value) >= limit
      return sign === '<' ? Number(value) < limit : Number(value) <= limit
    })
}

function valueTest(field: string, wanted: Token): Test {
  if (wanted.kind === 'word' && wanted.text === '*') return (document) => exists(document, field)
  return (document) => valuesOf(document, field).some((value) => isValue(field, String(value), wanted))
}

function isValue(field: string, value: string, wanted: Token): boolean {
  if (isAnalysed(field)) return hasWords(wordsOf(value), wordsOf(wanted.text), wanted.kind === 'quoted')
  if (field.endsWith('ip')) return isWithin(value, wanted.text)
  if (wanted.kind === 'quoted' || !wanted.text.includes('*')) return value === wanted.text
  const pattern = wanted.text.split('*').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${pattern.join('.*')}$`, 's').test(value)
}

function hasWords(words: readonly string[], wanted: readonly string[], isPhrase: boolean): boolean {
  if (!isPhrase) return wanted.some((word) => words.includes(word))
  return words.some((_, at) => wanted.every((word, step) => words[at + step] === word))
}

// The seed's mapping analyses these two beside keeping them whole.
const analysed = ['file.path', 'process.command_line']

function freeTest(wanted: Token): Test {
  const fields = (document: Document): string[] => [
    ...Object.keys(document).filter((name) => !isAnalysed(name) && name !== '_index'),
    ...analysed.filter((name) => document[name] !== undefined).map((name) => `${name}.text`),
  ]
  return (document) => fields(document).some((field) => valueTest(field, wanted)(document))
}

interface Filter {
  readonly meta?: { readonly negate?: boolean; readonly disabled?: boolean }
  readonly query?: Clause
}

interface Clause {
  readonly bool?: Readonly<Partial<Record<'must' | 'filter' | 'should' | 'must_not', readonly Clause[]>>>
  readonly match_phrase?: Readonly<Record<string, unknown>>
  readonly match?: Readonly<Record<string, unknown>>
  readonly term?: Readonly<Record<string, unknown>>
  readonly multi_match?: { readonly query: string }
  readonly exists?: { readonly field: string }
  readonly range?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** The filter pills of an export as a test. */
export function filterTest(filters: readonly Filter[]): Test {
  const tests = filters
    .filter(({ meta }) => meta?.disabled !== true)
    .map(({ meta, query = {} }): Test => {
      const test = clauseTest(query)
      return meta?.negate ? (document) => !test(document) : test
    })
  return (document) => tests.every((test) => test(document))
}

function clauseTest(clause: Clause): Test {
  if (clause.bool) {
    const { must = [], filter = [], should = [], must_not: mustNot = [] } = clause.bool
    const all = [...must, ...filter].map(clauseTest)
    const [any, none] = [should.map(clauseTest), mustNot.map(clauseTest)]
    return (document) =>
      all.every((test) => test(document)) &&
      (any.length === 0 || any.some((test) => test(document))) &&
      !none.some((test) => test(document))
  }
  if (clause.exists) {
    const { field } = clause.exists
    return (document) => exists(document, field)
  }
  if (clause.multi_match) return freeTest({ text: clause.multi_match.query, kind: 'quoted' })
  const [field = '', limits = {}] = Object.entries(clause.range ?? {})[0] ?? []
  if (clause.range) {
    const signs = { gt: '>', gte: '>=', lt: '<', lte: '<=' }
    const tests = Object.entries(signs).flatMap(([name, sign]) =>
      limits[name] === undefined ? [] : [limitTest(field, sign, Number(limits[name]))],
    )
    return (document) => tests.every((test) => test(document))
  }
  const [name, wanted] = Object.entries(clause.match_phrase ?? clause.match ?? clause.term ?? {})[0] ?? []
  if (name === undefined) throw new Error(`cannot read the filter ${JSON.stringify(clause)}`)
  const text = typeof wanted === 'object' ? String((wanted as { query?: unknown }).query) : String(wanted)
  return valueTest(name, { text, kind: 'quoted' })
}
