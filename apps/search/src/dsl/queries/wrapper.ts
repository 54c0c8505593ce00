import { z } from 'zod'
import { parseExactJson } from '../../json/source-json.ts'
import { parsingError } from '../../refusals/refuse.ts'
import { defineQuery } from '../define-query.ts'
import { clauseParameters } from '../shapes/scalars.ts'

/** `wrapper`: a query in Base64, for programs that pass one through. */
export const wrapper = defineQuery({
  name: 'wrapper',
  schema: z.strictObject({ query: z.string().transform(unwrapped), ...clauseParameters }),
  lower: ({ query }, context) => context.lower(query),
  score: ({ query }, context) => context.score(query),
})

function unwrapped(text: string): unknown {
  try {
    return parseExactJson(Buffer.from(text, 'base64').toString('utf8'))
  } catch {
    throw parsingError('[wrapper] failed to parse field [query]: it is no JSON in Base64')
  }
}
