export { boundedRegExp, RefusedPattern } from './bounded-regexp.ts'
export { type DocumentMetadata, evaluate } from './evaluate.ts'
export {
  distanceMetres,
  earthRadiusMetres,
  type GeoPoint,
  type GeoShape,
  geohashBox,
  holdsPoint,
  pointText,
  readGeoPoint,
} from './geo.ts'
export { type Instant, parseInstant } from './instant.ts'
export { cidrBounds, formatIp, parseIp } from './ip.ts'
export { escapeRegexp, luceneRegexp, type RegexpSource } from './lucene-regexp.ts'
export { compilePattern, patternSource, type WildcardPiece, wildcardPieces } from './pattern.ts'
export {
  all,
  and,
  type Bounds,
  type Field,
  type FieldPredicate,
  fieldConditions,
  mapFields,
  none,
  not,
  or,
  type Pattern,
  type Predicate,
  type SpanKind,
  type SpanRelation,
  type Value,
  type ValueType,
} from './predicate.ts'
export { type RuleProblem, readYamlMaps, type YamlMap, type YamlPath } from './read-yaml.ts'
export { isQuick, type RegexpShape, regexpShape } from './regexp-shape.ts'
export { threatOf } from './sigma/attack.ts'
export type { CorrelatedEvent } from './sigma/correlation-window.ts'
export { type CorrelationLimits, type CorrelationMatch, Correlations, type Finding } from './sigma/correlations.ts'
export { readMapping, type SigmaMapping } from './sigma/mapping.ts'
export { SigmaMatcher } from './sigma/matcher.ts'
export type { Placeholders } from './sigma/modifiers.ts'
export { isSigma, type ReadSigma, readSigma } from './sigma/read-sigma.ts'
export { assembleRules, type SigmaRuleSet } from './sigma/rule-set.ts'
export type {
  SigmaCorrelation,
  SigmaDocument,
  SigmaFilter,
  SigmaHead,
  SigmaLevel,
  SigmaRule,
} from './sigma/sigma-rule.ts'
export { addressBounds, encodeSpan, spanDigits, spansRelate } from './span.ts'
export { fitsStars } from './star-pattern.ts'
export { type SteadyMatcher, type SteadyPattern, steadyPattern } from './steady-regexp.ts'
export { standardTokenPattern, tokenize } from './tokenize.ts'
export { compareValues, leavesAt, leavesWithNulls, readValue, wholesAt } from './values.ts'
export { compareVersions, versionOrder } from './version.ts'
