import { AppError, isAppError, searchErrors } from '@logstack/errors'
import { z } from 'zod'
import { resolveOptions } from '../../indices/resolve-options.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import type { Scope } from '../../model/scope.ts'
import type { Services } from '../../services.ts'
import { defineRoute } from '../define-route.ts'
import { resolveAuthorized } from '../resources/authorized-indices.ts'

const expressionsMax = 10_000
const bodySchema = z.strictObject({ expressions: z.array(z.string().min(1)).max(expressionsMax) })

/**
 * `POST /_logstack/checkpoints`, for the alerter: what index expressions stand for, and how far each of these indices may be read without a hole and was
 * written, in one answer. An expression that cannot be read as a whole, such as one that names an index that is missing or not allowed, is left out: who
 * asks for it alone is told why.
 */
export const checkpointsRoute = defineRoute({
  name: 'logstack.checkpoints',
  methods: ['POST'],
  paths: ['/_logstack/checkpoints'],
  privilege: { index: 'read' },
  parameters: {},
  async handle({ scope, json }, services) {
    const body = bodySchema.safeParse(json())
    if (!body.success) throw new AppError(searchErrors.parse_exception, 'expressions must be a list of names')
    const indices = new Map<string, IndexMeta>()
    const expressions: Record<string, string[]> = {}
    for (const expression of body.data.expressions) {
      const found = readableOf(expression, scope, services)
      if (found === undefined) continue
      expressions[expression] = found.map(({ name }) => name)
      for (const index of found) indices.set(index.name, index)
    }
    return {
      json: {
        expressions,
        indices: Object.fromEntries([...indices].map(([name, index]) => [name, progressOf(index, services)])),
      },
    }
  },
})

/** The open indices behind an expression; undefined where reading them would be refused. */
function readableOf(expression: string, scope: Scope, services: Services): IndexMeta[] | undefined {
  try {
    const options = resolveOptions({}, { expand: ['open'] })
    const asked = { route: 'logstack.checkpoints', privilege: 'read', expression, options }
    return resolveAuthorized({ scope }, services, asked).flatMap(({ index }) => (index.state === 'open' ? [index] : []))
  } catch (thrown) {
    if (isAppError(thrown)) return undefined
    throw thrown
  }
}

/** `written` counts operations that are durable and not shown yet, too: both are sequence numbers, -1 for none. */
function progressOf(index: IndexMeta, { documents }: Services) {
  const checkpoint = documents.checkpoint(index)
  return { uuid: index.uuid, checkpoint, written: checkpoint + documents.pending(index).operations }
}
