import { componentsByName } from '../component.ts'
import { charGroupTokenizer } from './char-group.ts'
import { classicTokenizer } from './classic.ts'
import { edgeNgramTokenizer } from './edge-ngram.ts'
import { keywordTokenizer } from './keyword.ts'
import { letterTokenizer } from './letter.ts'
import { lowercaseTokenizer } from './lowercase.ts'
import { ngramTokenizer } from './ngram.ts'
import { pathHierarchyTokenizer } from './path-hierarchy.ts'
import { patternTokenizer } from './pattern.ts'
import { simplePatternTokenizer } from './simple-pattern.ts'
import { simplePatternSplitTokenizer } from './simple-pattern-split.ts'
import { standardTokenizer } from './standard.ts'
import { thaiTokenizer } from './thai.ts'
import { uaxUrlEmailTokenizer } from './uax-url-email.ts'
import { whitespaceTokenizer } from './whitespace.ts'

/** Every tokenizer by its wire name. */
export const tokenizers = componentsByName([
  charGroupTokenizer,
  classicTokenizer,
  edgeNgramTokenizer,
  keywordTokenizer,
  letterTokenizer,
  lowercaseTokenizer,
  ngramTokenizer,
  pathHierarchyTokenizer,
  patternTokenizer,
  simplePatternTokenizer,
  simplePatternSplitTokenizer,
  standardTokenizer,
  thaiTokenizer,
  uaxUrlEmailTokenizer,
  whitespaceTokenizer,
])
