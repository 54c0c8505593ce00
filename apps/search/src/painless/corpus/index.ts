import type { PlainCase } from './case.ts'
import { collections } from './collections.ts'
import { compileErrors } from './compile-errors.ts'
import { controlFlow } from './control-flow.ts'
import { dates } from './dates.ts'
import { conditions, ingests, reindexes, updates, updatesByQuery } from './documents.ts'
import {
  aggregated,
  buckets,
  filters,
  intervals,
  ranked,
  runtimeFields,
  scores,
  scriptFields,
  tokens,
} from './fields.ts'
import { functions } from './functions.ts'
import { limits } from './limits.ts'
import { mathematics } from './mathematics.ts'
import { numbers } from './numbers.ts'
import { operators } from './operators.ts'
import { regexes } from './regexes.ts'
import { sandbox } from './sandbox.ts'
import { strings } from './strings.ts'

/** Scripts of no document, by theme. */
export const themes: Readonly<Record<string, readonly PlainCase[]>> = {
  numbers,
  operators,
  'control flow': controlFlow,
  functions,
  strings,
  collections,
  regexes,
  dates,
  mathematics,
  sandbox,
  limits,
  'compile errors': compileErrors,
}

/** How many scripts the corpus has of each context. */
export const corpusSizes: Readonly<Record<string, number>> = {
  'no document (`painless_test`)': Object.values(themes).reduce((sum, { length }) => sum + length, 0),
  update: updates.length,
  'update by query': updatesByQuery.length,
  reindex: reindexes.length,
  'ingest processor': ingests.length,
  'ingest condition': conditions.length,
  'script field': scriptFields.length,
  'script query': filters.length,
  score: ranked.length,
  'score and sort': scores.length,
  'runtime field': runtimeFields.length,
  'values of aggregations': aggregated.length,
  'bucket_script, bucket_selector, moving_fn': buckets.length,
  'intervals filter': intervals.length,
  'token filter': tokens.length,
}
