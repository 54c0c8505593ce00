import { AppError, searchErrors } from '@logstack/errors'
import { isObject } from '../../json/json-object.ts'
import { printJson } from '../../json/print-json.ts'
import { parseExactJson } from '../../json/source-json.ts'
import { parseTemplate, TemplateFault } from '../../mustache/parse-template.ts'
import { renderTemplate, TemplateTooLong } from '../../mustache/render-template.ts'
import { parsingError } from '../../refusals/refuse.ts'
import { validationError } from '../../refusals/validation-error.ts'
import type { Services } from '../../services.ts'
import { defineRoute, type Route, type RouteRequest } from '../define-route.ts'
import { parseExactBody } from '../read-request.ts'
import { msearchParameters, runMultiSearch } from './msearch.ts'
import { checkTotalAsInteger, runSearch } from './run-search.ts'
import { bodyWithParameters, searchParameters } from './search-parameters.ts'

const templateKeys = new Set(['id', 'source', 'params', 'explain', 'profile'])

/** The body of a search that a template and its parameters make. Throws 404 for a stored template that is missing. */
export function renderedBody(services: Services, given: unknown): unknown {
  if (!isObject(given)) throw parsingError('Expected [START_OBJECT] but found something else')
  for (const key of Object.keys(given))
    if (!templateKeys.has(key)) throw parsingError(`[search_template] unknown field [${key}]`)
  const { params = {}, explain, profile } = given
  if (!isObject(params)) throw parsingError('[search_template] [params] must be an object')
  const body = jsonOf(rendered(templateText(services, given), params))
  if (explain === undefined && profile === undefined) return body
  return {
    ...(isObject(body) ? body : {}),
    ...(explain === undefined ? {} : { explain }),
    ...(profile === undefined ? {} : { profile }),
  }
}

/** Throws when an item of several names no template. */
function checkNamed(given: unknown): void {
  if (isObject(given) && given['id'] === undefined && (given['source'] ?? '') === '')
    throw validationError('template is missing')
}

function templateText(services: Services, { id, source }: Readonly<Record<string, unknown>>): string {
  if (id !== undefined) {
    const stored = services.catalogue.collection<{ readonly source: string }>('script').get(String(id))
    if (stored) return stored.source
    throw new AppError(
      searchErrors.resource_not_found_exception,
      `unable to find script [${String(id)}] in cluster state`,
    )
  }
  if (source === undefined || source === '') throw validationError('template is missing')
  if (typeof source === 'string') return source
  if (isObject(source)) return printJson(source)
  throw new AppError(
    searchErrors.x_content_parse_exception,
    `[search_template] source doesn't support values of this type`,
  )
}

/** A template with its parameters; throws `script_exception` when it cannot be read, `parse_exception` when it becomes too long. */
export function rendered(text: string, params: Readonly<Record<string, unknown>>): string {
  try {
    return renderTemplate(parseTemplate(text), params)
  } catch (thrown) {
    if (!(thrown instanceof TemplateFault)) throw thrown
    if (thrown instanceof TemplateTooLong) throw new AppError(searchErrors.parse_exception, thrown.message)
    throw new AppError(searchErrors.script_exception, thrown.message, { detail: { lang: 'mustache', script: text } })
  }
}

function jsonOf(text: string): unknown {
  try {
    return text.trim() === '' ? {} : parseExactJson(text)
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown
    const [, place] = /position (\d+)/u.exec(thrown.message) ?? []
    if (/end of/iu.test(thrown.message) || Number(place) === text.length)
      throw new AppError({ ...searchErrors.parsing_exception, code: 'json_e_o_f_exception' }, 'Unexpected end-of-input')
    throw parsingError(`Failed to parse a rendered template: ${thrown.message}`)
  }
}

const search = defineRoute({
  name: 'search_template',
  methods: ['GET', 'POST'],
  paths: ['/_search/template', '/{index}/_search/template'],
  privilege: 'authenticated',
  parameters: searchParameters,
  async handle(request, services) {
    const body = renderedBody(services, parseExactBody(request))
    if (request.query['rest_total_hits_as_int'] === true) checkTotalAsInteger(body)
    const jsonBytes = await runSearch(services, {
      scope: request.scope,
      signal: request.signal,
      expression: request.params['index'] ?? '',
      query: request.query,
      body: bodyWithParameters(body, request.query),
      route: 'search',
    })
    return { jsonBytes }
  },
})

const render = defineRoute({
  name: 'render_search_template',
  methods: ['GET', 'POST'],
  paths: ['/_render/template', '/_render/template/{id}'],
  privilege: 'authenticated',
  parameters: {},
  async handle(request, services) {
    const given = parseExactBody(request) ?? {}
    const { id } = request.params
    const named = id === undefined || !isObject(given) ? given : { ...given, id }
    return { json: { template_output: renderedBody(services, named) } }
  },
})

const multiSearch = defineRoute({
  name: 'msearch_template',
  methods: ['GET', 'POST'],
  paths: ['/_msearch/template', '/{index}/_msearch/template'],
  privilege: 'authenticated',
  parameters: msearchParameters,
  handle: async (request: RouteRequest, services) =>
    runMultiSearch(services, request, (body) => renderedBody(services, body), checkNamed),
})

/** Searches by mustache templates. */
export const searchTemplateRoutes: readonly Route[] = [search, render, multiSearch]
