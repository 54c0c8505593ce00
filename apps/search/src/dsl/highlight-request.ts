import { isAppError } from '@logstack/errors'
import { z } from 'zod'
import { illegalArgument, memberError, readStrictly } from '../refusals/refuse.ts'
import { flag, oneOrMany, whole } from './shapes/scalars.ts'

const fragments = {
  pre_tags: oneOrMany(z.string()).optional(),
  post_tags: oneOrMany(z.string()).optional(),
  fragment_size: whole.optional(),
  number_of_fragments: whole.optional(),
  require_field_match: flag.optional(),
  type: z.string().optional(),
  order: z.string().optional(),
  encoder: z.enum(['default', 'html']).optional(),
  tags_schema: z.enum(['default', 'styled']).optional(),
  highlight_query: z.record(z.string(), z.unknown()).optional(),
  matched_fields: oneOrMany(z.string()).optional(),
  max_analyzed_offset: whole.optional(),
  /** As OpenSearch writes it. */
  max_analyzer_offset: whole.optional(),
  fragmenter: z.string().optional(),
  boundary_scanner: z.string().optional(),
  boundary_chars: z.string().optional(),
  boundary_max_scan: whole.optional(),
  phrase_limit: whole.optional(),
  force_source: flag.optional(),
  options: z.record(z.string(), z.unknown()).optional(),
  boundary_scanner_locale: z.string().optional(),
  no_match_size: whole.optional(),
} as const
const field = z.strictObject({ ...fragments, fragment_offset: whole.optional() })
const schema = z.strictObject({
  ...fragments,
  fields: z.union([z.record(z.string(), z.unknown()), z.array(z.record(z.string(), z.unknown()))]),
})

/** How one field, or the fields of a pattern, are highlighted. */
export interface HighlightField {
  readonly pattern: string
  readonly open: string
  readonly close: string
  /** Characters of a fragment, at least. */
  readonly fragmentSize: number
  /** 0: the whole value. */
  readonly fragmentsMax: number
  readonly requireFieldMatch: boolean
  /** The highlighter that is asked for, as it was written. */
  readonly type: string
  /** The plain highlighter looks at the text itself, whatever the index keeps of it. */
  readonly plain: boolean
  /** Whether a fragment is the words of a match alone. */
  readonly byWords: boolean
  /** What stands for a text without a match has at least so many characters; 0: nothing stands for it. */
  readonly noMatchSize: number
  /** Whether what a browser would read as its language is written so that it is shown. */
  readonly html: boolean
  /** Whether the best fragments come first, and not those that stand first. */
  readonly bestFirst: boolean
  /** What is marked instead of what the request's own query looks for. */
  readonly query: Readonly<Record<string, unknown>> | undefined
  /** The fields whose words are marked, besides those of the field itself. */
  readonly matchedFields: readonly string[] | undefined
  /** Characters of a text that are looked at; absent: all, as far as the index allows. */
  readonly offsetMax: number | undefined
}

/** Reads `highlight` of a search. */
export function readHighlight(given: unknown): HighlightField[] {
  if (given === undefined) return []
  const body = readStrictly(schema, given, 'highlight', 'query')
  const fields = Array.isArray(body.fields)
    ? body.fields.flatMap((each) => Object.entries(each))
    : Object.entries(body.fields)
  return fields.map(([pattern, given]) => {
    const merged = { ...body, ...readField(pattern, given) }
    const fragmentSize = merged.fragment_size ?? 100
    const fragmentsMax = merged.number_of_fragments ?? 5
    if (fragmentsMax < 0) throw illegalArgument('[number_of_fragments] must be 0 or more')
    return {
      pattern,
      open: merged.pre_tags?.[0] ?? (merged.tags_schema === 'styled' ? '<em class="hlt1">' : '<em>'),
      close: merged.post_tags?.[0] ?? '</em>',
      fragmentSize,
      fragmentsMax,
      requireFieldMatch: merged.require_field_match ?? true,
      type: merged.type ?? 'unified',
      plain: merged.type === 'plain',
      byWords: merged.boundary_scanner?.toLowerCase() === 'word',
      noMatchSize: merged.no_match_size ?? 0,
      html: merged.encoder === 'html',
      bestFirst: merged.order === 'score',
      query: merged.highlight_query,
      matchedFields: merged.matched_fields,
      offsetMax: offsetOf(merged.max_analyzed_offset ?? merged.max_analyzer_offset),
    }
  })
}

/** What is wrong with the options of one field is told of the field and of the list it stands in. */
function readField(pattern: string, given: unknown): z.infer<typeof field> {
  try {
    return readStrictly(field, given, 'highlight_field', 'query')
  } catch (thrown) {
    if (!isAppError(thrown) || thrown.code !== 'x_content_parse_exception') throw thrown
    throw memberError('highlight', 'fields', memberError('fields', pattern, thrown))
  }
}

function offsetOf(given: number | undefined): number | undefined {
  if (given === undefined || given > 0) return given
  throw memberError(
    'highlight',
    'max_analyzed_offset',
    illegalArgument('[max_analyzed_offset] must be a positive integer'),
  )
}
