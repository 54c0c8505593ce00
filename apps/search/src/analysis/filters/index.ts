import { componentsByName } from '../component.ts'
import { apostropheFilter } from './apostrophe.ts'
import { asciifoldingFilter } from './asciifolding.ts'
import { cjkBigramFilter } from './cjk-bigram.ts'
import { cjkWidthFilter } from './cjk-width.ts'
import { classicFilter } from './classic.ts'
import { conditionFilter } from './condition.ts'
import { decimalDigitFilter } from './decimal-digit.ts'
import { delimitedPayloadFilter } from './delimited-payload.ts'
import { edgeNgramFilter } from './edge-ngram.ts'
import { elisionFilter } from './elision.ts'
import { flattenGraphFilter } from './flatten-graph.ts'
import { commonGramsFilter } from './frequent-word-grams.ts'
import { keepFilter } from './keep.ts'
import { keepTypesFilter } from './keep-types.ts'
import { keywordMarkerFilter } from './keyword-marker.ts'
import { normalizationFilters } from './language-normalizations.ts'
import { stemFilters } from './language-stems.ts'
import { lengthFilter } from './length.ts'
import { limitFilter } from './limit.ts'
import { lowercaseFilter } from './lowercase.ts'
import { minHashFilter } from './min-hash.ts'
import { ngramFilter } from './ngram.ts'
import { patternCaptureFilter } from './pattern-capture.ts'
import { patternReplaceFilter } from './pattern-replace.ts'
import { porterStemFilter } from './porter-stem.ts'
import { predicateTokenFilter } from './predicate-token-filter.ts'
import { removeDuplicatesFilter } from './remove-duplicates.ts'
import { reverseFilter } from './reverse.ts'
import { shingleFilter } from './shingle.ts'
import { snowballFilter } from './snowball.ts'
import { stemmerFilter } from './stemmer.ts'
import { stemmerOverrideFilter } from './stemmer-override.ts'
import { stopFilter } from './stop.ts'
import { synonymFilterComponent } from './synonym.ts'
import { synonymGraphFilter } from './synonym-graph.ts'
import { trimFilter } from './trim.ts'
import { truncateFilter } from './truncate.ts'
import { uniqueFilter } from './unique.ts'
import { uppercaseFilter } from './uppercase.ts'
import { wordDelimiterFilter } from './word-delimiter.ts'
import { wordDelimiterGraphFilter } from './word-delimiter-graph.ts'
/** Every token filter by its wire name. */
export const tokenFilters = componentsByName([
  apostropheFilter,
  asciifoldingFilter,
  classicFilter,
  decimalDigitFilter,
  edgeNgramFilter,
  elisionFilter,
  flattenGraphFilter,
  keepFilter,
  keepTypesFilter,
  keywordMarkerFilter,
  lengthFilter,
  limitFilter,
  lowercaseFilter,
  minHashFilter,
  ngramFilter,
  patternCaptureFilter,
  patternReplaceFilter,
  porterStemFilter,
  removeDuplicatesFilter,
  reverseFilter,
  shingleFilter,
  snowballFilter,
  stemmerFilter,
  stemmerOverrideFilter,
  stopFilter,
  synonymFilterComponent,
  synonymGraphFilter,
  trimFilter,
  truncateFilter,
  uniqueFilter,
  uppercaseFilter,
  wordDelimiterFilter,
  wordDelimiterGraphFilter,
  cjkBigramFilter,
  cjkWidthFilter,
  commonGramsFilter,
  delimitedPayloadFilter,
  conditionFilter,
  predicateTokenFilter,
  ...normalizationFilters,
  ...stemFilters,
])
