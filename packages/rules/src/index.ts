export { type DocumentMetadata, evaluate } from './evaluate.ts'
export { type Instant, parseInstant } from './instant.ts'
export { cidrBounds, formatIp, parseIp } from './ip.ts'
export { escapeRegexp, luceneRegexp, type RegexpSource } from './lucene-regexp.ts'
export { compilePattern, patternSource, type WildcardPiece, wildcardPieces } from './pattern.ts'
export {
  all,
  and,
  type Bounds,
  type Field,
  none,
  not,
  or,
  type Pattern,
  type Predicate,
  type Value,
  type ValueType,
} from './predicate.ts'
export { standardTokenPattern, tokenize } from './tokenize.ts'
export { compareValues, leavesAt, readValue } from './values.ts'
