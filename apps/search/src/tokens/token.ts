/** A word that analysis took from a text. */
export interface Token {
  readonly text: string
  /** Where it stands in the text that was given, in UTF-16 units. */
  readonly start: number
  readonly end: number
  /** Its place among the words; words at one place stand for each other, a gap is where a word was removed. */
  readonly position: number
  /** `<ALPHANUM>`, `<NUM>`, `word`, `SYNONYM`, … */
  readonly type: string
  /** How many places it covers; absent is 1. */
  readonly positionLength?: number
  /** Stemmers leave it as it is. */
  readonly keyword?: boolean
}

/** Cuts a text into words. */
export type Tokenize = (text: string) => Token[]
/** Changes, removes or adds words. */
export type FilterTokens = (tokens: readonly Token[]) => Token[]

/** A text whose characters were replaced, and how its places lead back to the text that was given. */
export interface MappedText {
  readonly text: string
  /** The place in the given text of a place in `text`. */
  origin(place: number): number
}
export type FilterText = (text: string) => MappedText

/** Named parts of an analyzer in the order they work, for `_analyze` with `explain`. */
export interface NamedPart<Work> {
  readonly name: string
  readonly work: Work
}

/** Turns a text into words: character filters, one tokenizer, token filters. */
export interface Analyzer {
  readonly name: string
  /** Whether it was put together in settings or a request. */
  readonly custom: boolean
  readonly charFilters: readonly NamedPart<FilterText>[]
  readonly tokenizer: NamedPart<Tokenize>
  readonly filters: readonly NamedPart<FilterTokens>[]
  /** Empty places between the values of a list; a phrase does not reach over them. */
  readonly positionGap: number
}

/** The words of a text in order. */
export function analyze(analyzer: Pick<Analyzer, 'charFilters' | 'tokenizer' | 'filters'>, text: string): Token[] {
  const mapped = mapText(analyzer.charFilters, text)
  let tokens = withOrigins(analyzer.tokenizer.work(mapped.text), mapped)
  for (const { work } of analyzer.filters) tokens = work(tokens)
  return tokens
}

/** A text after all character filters. */
export function mapText(filters: readonly NamedPart<FilterText>[], text: string): MappedText {
  let mapped: MappedText = { text, origin: (place) => place }
  for (const { work } of filters) {
    const before = mapped
    const next = work(before.text)
    mapped = { text: next.text, origin: (place) => before.origin(next.origin(place)) }
  }
  return mapped
}

/** Tokens of a mapped text with their places in the text that was given. */
export function withOrigins(tokens: readonly Token[], mapped: MappedText): Token[] {
  return tokens.map((token) => ({ ...token, start: mapped.origin(token.start), end: mapped.origin(token.end) }))
}
