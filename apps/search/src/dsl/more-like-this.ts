import { AppError, searchErrors } from '@logstack/errors'
import { z } from 'zod'
import { illegalArgument, ofRequest, parsingError } from '../refusals/refuse.ts'
import { clauseParameters, decimal, flag, oneOrMany, scalar, whole } from './shapes/scalars.ts'

const id = z.union([z.string(), z.number().transform(String)])
const item = z.strictObject({
  _index: z.string().optional(),
  _id: id.optional(),
  doc: z.record(z.string(), z.unknown()).optional(),
  fields: z.array(z.string()).optional(),
  per_field_analyzer: z.record(z.string(), z.string()).optional(),
  routing: z.union([z.string(), z.number()]).optional(),
  version: z.number().optional(),
  version_type: z.enum(['internal', 'external', 'external_gte']).optional(),
})
const likes = oneOrMany(z.union([scalar, z.record(z.string(), z.unknown())]))

/** What a `more_like_this` clause takes. */
export const moreLikeThisParameters = z.strictObject({
  ...clauseParameters,
  like: likes,
  unlike: likes.optional(),
  fields: z.array(scalar.transform(String)).optional(),
  max_query_terms: whole.default(25),
  min_term_freq: whole.default(2),
  min_doc_freq: whole.default(5),
  max_doc_freq: whole.default(Number.MAX_SAFE_INTEGER),
  min_word_length: whole.default(0),
  max_word_length: whole.default(0),
  stop_words: z.array(scalar.transform(String)).optional(),
  analyzer: z.string().optional(),
  minimum_should_match: z.union([z.string(), z.number()]).default('30%'),
  boost_terms: decimal.default(0),
  include: flag.default(false),
  fail_on_unsupported_field: flag.default(true),
})

/** A document that others are to be like, or unlike: a stored one, or one that the request brings. */
export type LikedDocument = z.infer<typeof item>

/** What a clause wants: texts and documents to be like, and others not to. */
export interface MoreLikeThis extends Omit<z.infer<typeof moreLikeThisParameters>, 'like' | 'unlike'> {
  readonly like: Liked
  readonly unlike: Liked
}

interface Liked {
  readonly texts: readonly string[]
  readonly documents: readonly LikedDocument[]
}

/** Texts and documents that one clause may name: each is read and cut by itself. */
const likesMax = 1_000

/** Reads the body of a `more_like_this` clause. Throws `parsing_exception`, for documents `parse_exception`. */
export function readMoreLikeThis(body: unknown): MoreLikeThis {
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    throw parsingError('[more_like_this] query malformed, no start_object after query name')
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
  if (!('like' in given)) given['like'] = []
  const read = moreLikeThisParameters.safeParse(given)
  if (!read.success) {
    const [issue] = read.error.issues
    const key = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path[0]
    throw parsingError(`[mlt] query does not support [${String(key)}]`)
  }
  const { like, unlike = [], ...parameters } = read.data
  if (like.length === 0) throw parsingError("more_like_this requires 'like' to be specified")
  if (like.length + unlike.length > likesMax)
    throw ofRequest(
      illegalArgument(`[more_like_this] takes at most [${likesMax}] texts and documents in [like] and [unlike]`),
    )
  if (parameters.fields?.length === 0) throw parsingError("more_like_this requires 'fields' to be non-empty")
  if (parameters.max_query_terms <= 0) throw ofRequest(illegalArgument("requires 'maxQueryTerms' to be greater than 0"))
  return { ...parameters, like: sorted(like), unlike: sorted(unlike) }
}

function sorted(likes: z.infer<typeof moreLikeThisParameters>['like']): Liked {
  const texts = likes.flatMap((one) => (typeof one === 'object' ? [] : [String(one)]))
  return { texts, documents: likes.flatMap((one) => (typeof one === 'object' ? [documentOf(one)] : [])) }
}

function documentOf(given: Record<string, unknown>): LikedDocument {
  const read = item.safeParse(given)
  if (!read.success) {
    const [issue] = read.error.issues
    const key = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path[0]
    throw refused(`unknown field [${String(key)}]`)
  }
  const { _id, doc } = read.data
  if (_id !== undefined && doc !== undefined) throw refused('either [id] or [doc] can be specified, but not both!')
  if (_id === undefined && doc === undefined) throw refused('neither [id] nor [doc] is specified!')
  return read.data
}

function refused(reason: string): AppError {
  return ofRequest(new AppError(searchErrors.parse_exception, `failed to parse More Like This item. ${reason}`))
}

/** The request with another query in place of every `more_like_this` in it; the same object when there is none. */
export async function withMoreLikeThis(
  body: unknown,
  queryFor: (wanted: MoreLikeThis) => Promise<unknown>,
): Promise<unknown> {
  return mentions(body) ? replaced(body, queryFor) : body
}

function mentions(body: unknown): boolean {
  if (body === null || typeof body !== 'object') return false
  if (Array.isArray(body)) return body.some(mentions)
  return isClause(body) || Object.values(body).some(mentions)
}

/** A field may have the name, too, but says nothing of what to be like. */
function isClause(value: object): value is { readonly more_like_this: object } {
  const { more_like_this: clause, ...others }: { more_like_this?: unknown } = value
  return clause !== null && typeof clause === 'object' && 'like' in clause && Object.keys(others).length === 0
}

async function replaced(body: unknown, queryFor: (wanted: MoreLikeThis) => Promise<unknown>): Promise<unknown> {
  if (body === null || typeof body !== 'object') return body
  if (Array.isArray(body)) return Promise.all(body.map((member) => replaced(member, queryFor)))
  if (isClause(body)) return queryFor(readMoreLikeThis(body.more_like_this))
  const members = Object.entries(body).map(async ([key, value]) => [key, await replaced(value, queryFor)] as const)
  return Object.fromEntries(await Promise.all(members))
}
