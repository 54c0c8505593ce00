import { AppError, searchErrors } from '@logstack/errors'
import { z } from 'zod'
import { resolveOptions } from '../../indices/resolve-options.ts'
import { isObject } from '../../json/json-object.ts'
import { type JsonText, readJsonText } from '../../json/json-text.ts'
import { printJson } from '../../json/print-json.ts'
import { parseExactJson, parseSource } from '../../json/source-json.ts'
import { Names } from '../../painless/frame.ts'
import { textOf } from '../../painless/java-values.ts'
import { plainValue } from '../../painless/plain-value.ts'
import { compileReturning, readScript } from '../../painless/script.ts'
import { Turns } from '../../painless/turns.ts'
import { numberOf, numberTypeOf } from '../../painless/typed-number.ts'
import { planLeaves } from '../../plan/leaves/plan-leaves.ts'
import { illegalArgument, readStrictly } from '../../refusals/refuse.ts'
import type { Services } from '../../services.ts'
import { defineRoute, type Route, type RouteRequest } from '../define-route.ts'
import { resolveAuthorized } from '../resources/authorized-indices.ts'

/** Contexts over a document of an index, and what they answer. */
const documentContexts = ['filter', 'score'] as const
const schema = z.strictObject({
  script: z.unknown(),
  context: z.string().optional(),
  context_setup: z
    .strictObject({ document: z.record(z.string(), z.unknown()), index: z.string(), query: z.unknown().optional() })
    .optional(),
})

/** `_scripts/painless/_execute`: runs a script once, over nothing or over a document that is kept nowhere. */
const executeScript = defineRoute({
  name: 'scripts_painless_execute',
  methods: ['GET', 'POST'],
  paths: ['/_scripts/painless/_execute'],
  privilege: { cluster: 'manage' },
  parameters: {},
  async handle(request, services) {
    const read = readStrictly(schema, typedBody(request), 'painless_execute_request', 'query')
    const { context = 'painless_test' } = read
    if (read.script === undefined) throw illegalArgument('Required [script]')
    await new Turns(request.signal).rest()
    if (context === 'painless_test') return { json: { result: tested(read.script) } }
    const known = documentContexts.find((name) => name === context)
    if (!known) throw illegalArgument(`unsupported script context name [${context}]`)
    if (!read.context_setup)
      throw illegalArgument(`Validation Failed: 1: [context_setup] is required for [${context}];`)
    const { index, document, query } = read.context_setup
    if (query !== undefined) throw illegalArgument('[query] of [context_setup] is not supported')
    const returned = overDocument(request, services, index, document, read.script, known)
    if (known === 'filter') return { json: { result: returned === true } }
    if (numberTypeOf(returned) === undefined)
      throw illegalArgument('a script of the context [score] must return a number')
    return { jsonBytes: Buffer.from(printJson({ result: plainValue(returned) })) }
  },
})

/** The body, with the parameters of its script as they are written: `100.0` is a double. */
function typedBody(request: RouteRequest): unknown {
  const body = request.json()
  if (!isObject(body) || !isObject(body['script']) || !/json/iu.test(request.contentType ?? '')) return body
  const script = memberOf(readJsonText(request.body.toString('utf8')), 'script')
  const params = script && memberOf(script, 'params')
  return params?.kind === 'object' ? { ...body, script: { ...body['script'], params: typedValue(params) } } : body
}

function memberOf(node: JsonText, name: string): JsonText | undefined {
  return node.kind === 'object' ? node.entries.findLast(([key]) => key === name)?.[1] : undefined
}

function typedValue(node: JsonText): unknown {
  if (node.kind === 'array') return node.items.map(typedValue)
  if (node.kind === 'object') return Object.fromEntries(node.entries.map(([name, value]) => [name, typedValue(value)]))
  const { text } = node
  if (/^-?\d/u.test(text)) return /[.eE]/u.test(text) ? numberOf('double', Number(text)) : parseExactJson(text)
  return JSON.parse(text) as unknown
}

/** What a script without a document returns, as text. */
function tested(script: unknown): string {
  const { source, params } = readScript(script, () => undefined)
  const names = new Names()
  const slot = names.declare('params', 'Map', 0).slot
  const run = compileReturning(source, names)
  const slots: unknown[] = []
  slots[slot] = params
  const returned = run(slots)
  try {
    return textOf(returned)
  } catch (thrown) {
    if (thrown instanceof RangeError) throw illegalArgument(`[painless_test] ${thrown.message}`)
    throw thrown
  }
}

function overDocument(
  request: RouteRequest,
  services: Services,
  name: string,
  document: Readonly<Record<string, unknown>>,
  script: unknown,
  context: (typeof documentContexts)[number],
): unknown {
  const indices = resolveAuthorized(request, services, {
    route: 'scripts_painless_execute',
    privilege: 'read',
    expression: name,
    options: resolveOptions({}, { forbidClosed: true }),
  })
  const [leaf] = planLeaves(services, { indices, scope: request.scope, query: undefined, nowMs: services.now() })
  const index = leaf?.indices[0]
  if (!leaf || !index || indices.length > 1)
    throw new AppError(searchErrors.illegal_argument_exception, `[index] must name one index, found [${name}]`)
  const source = parseSource(Buffer.from(JSON.stringify(document)))
  return leaf
    .readerOf(index)
    .run(
      script,
      { source, metadata: { _index: index.name, _seq_no: 0 }, score: 1 },
      context === 'score' ? 'score' : 'other',
    )
}

/** Scripts that are tried out. */
export const executeScriptRoutes: readonly Route[] = [executeScript]
