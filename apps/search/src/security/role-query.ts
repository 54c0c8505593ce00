import { AppError, messageOf, searchErrors } from '@logstack/errors'
import { createLowerContext } from '../dsl/lower-context.ts'
import { parseExactJson } from '../json/source-json.ts'
import type { Principal } from '../model/scope.ts'
import { parseTemplate, TemplateFault } from '../mustache/parse-template.ts'
import { renderTemplate } from '../mustache/render-template.ts'

/** Clauses that read other documents or run scripts: what a role shows must follow from each document alone. */
const refusedClauses = new Set(['script', 'script_score', 'percolate'])
const joiningClauses = new Set(['has_child', 'has_parent'])

type Body = Readonly<Record<string, unknown>>
const isBody = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value)

function unreadable(reason: string, cause?: unknown): AppError {
  return new AppError(searchErrors.parse_exception, `failed to parse role query: ${reason}`, { cause })
}

function parsed(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch (thrown) {
    throw unreadable(messageOf(thrown), thrown)
  }
}

function templateOf(query: unknown): Body | undefined {
  if (!isBody(query) || !('template' in query)) return undefined
  const { template, ...others } = query
  if (!isBody(template) || Object.keys(others).length > 0) throw unreadable('[template] must be an object by itself')
  return template
}

/** The query of a role for a principal, whom templates know as `_user`. Throws `parse_exception`. */
export function roleQueryOf(given: unknown, { username, roles, details }: Principal): unknown {
  const query = typeof given === 'string' ? parsed(given) : given
  const template = templateOf(query)
  if (!template) return query
  const { source, params = {}, ...others } = template
  const unknown = Object.keys(others)[0]
  if (unknown !== undefined) throw unreadable(`[template] takes [source] and [params], not [${unknown}]`)
  const text = typeof source === 'string' ? source : isBody(source) ? JSON.stringify(source) : undefined
  if (text === undefined || !isBody(params)) throw unreadable('[template] needs a [source]')
  const { fullName, email, metadata = {} } = details ?? {}
  const user = { username, roles, full_name: fullName, email, metadata }
  try {
    return parsed(renderTemplate(parseTemplate(text), { ...params, _user: user }))
  } catch (thrown) {
    if (thrown instanceof TemplateFault) throw unreadable(thrown.message, thrown)
    throw thrown
  }
}

/** Throws for a query that a role cannot have. */
export function checkRoleQuery(given: unknown): void {
  const nobody: Principal = { username: 'name', roles: [], realm: 'native' }
  const query = roleQueryOf(given, nobody)
  refuseClauses(query)
  const scope = { canSeeField: () => true }
  createLowerContext({ index: undefined, fields: new Map(), scope, nowMs: 0 }).lower(query)
}

function refuseClauses(query: unknown): void {
  if (Array.isArray(query)) for (const each of query) refuseClauses(each)
  if (!isBody(query)) return
  for (const [name, value] of Object.entries(query)) {
    if (refusedClauses.has(name)) throw unreadable(`[${name}] is not supported in the query of a role`)
    if (joiningClauses.has(name))
      throw new AppError(
        searchErrors.illegal_argument_exception,
        `${name} query isn't supported as part of a role query`,
      )
    if (name === 'terms' && isBody(value) && Object.values(value).some(isBody))
      throw new AppError(
        searchErrors.illegal_argument_exception,
        "terms query with terms lookup isn't supported as part of a role query",
      )
    refuseClauses(value)
  }
}
