import { randomUUID } from 'node:crypto'
import type { SavedObject } from '@logstack/contracts'
import { AppError, dashboardErrors } from '@logstack/errors'
import { z } from 'zod'
import { type Call, callerOf, checked, defineRoutes, pathParameter, readBody } from '../route.ts'
import { keyText } from '../saved-objects/object-key.ts'
import { notFound } from '../saved-objects/repository.ts'
import { metaOf, savedObjectTypes, titleFields, titleOf } from '../saved-objects/types.ts'
import type { Services } from '../services.ts'
import { canEdit, identify } from '../session/authenticate.ts'

const referenceSchema = z.object({ name: z.string(), type: z.string(), id: z.string() })
const writeSchema = z.object({
  attributes: z.record(z.string(), z.unknown()).default({}),
  references: z.array(referenceSchema).default([]),
  coreMigrationVersion: z.string().optional(),
  typeMigrationVersion: z.string().optional(),
})
const keysSchema = z.array(z.object({ type: z.string(), id: z.string() })).max(10_000)
const flag = z.enum(['true', 'false', '']).optional()
const findSchema = z.object({
  type: z.string().optional(),
  search: z.string().optional(),
  page: z.coerce.number().int().min(1).default(1),
  per_page: z.coerce.number().int().min(1).max(10_000).optional(),
  perPage: z.coerce.number().int().min(1).max(10_000).optional(),
  sort_field: z.string().optional(),
  sortField: z.string().optional(),
  sort_order: z.enum(['asc', 'desc']).optional(),
  sortOrder: z.enum(['asc', 'desc']).optional(),
  fields: z.string().optional(),
})

interface Page {
  readonly page: number
  readonly perPage: number
  readonly total: number
  readonly objects: readonly SavedObject[]
}

/** Proves, at search and now, that the caller may change saved objects; throws `saved_objects_forbidden`. */
export async function requireEditor(call: Call, services: Services): Promise<void> {
  const identity = await identify(callerOf(call), services)
  if (canEdit(identity)) return
  throw new AppError(
    dashboardErrors.saved_objects_forbidden,
    `user [${identity.username}] may not change saved objects: it needs the role superuser, kibana_admin or editor`,
  )
}

/** Kibana's saved objects API: find, read, create, change, delete. */
export const savedObjectRoutes = defineRoutes(
  {
    method: 'GET',
    path: '/api/saved_objects/_find',
    access: 'authenticated',
    handle: async (call, services) => {
      const { page, perPage, total, objects } = await findWhole(call, services)
      return {
        json: { page, per_page: perPage, total, saved_objects: objects.map((object) => ({ ...object, score: 0 })) },
      }
    },
  },
  {
    method: 'GET',
    path: '/api/kibana/management/saved_objects/_find',
    access: 'authenticated',
    async handle(call, services) {
      const { page, perPage, total, objects } = await find(call, services, { perPage: 50, attributes: [] })
      const saved_objects = objects.map(({ attributes, ...object }) => ({
        ...object,
        meta: { ...metaOf({ ...object, attributes }), hiddenType: false, namespaceType: 'multiple-isolated' },
      }))
      return { json: { page, per_page: perPage, total, saved_objects } }
    },
  },
  {
    method: 'POST',
    path: '/api/saved_objects/_bulk_get',
    access: 'authenticated',
    async handle(call, services) {
      const keys = readBody(call, keysSchema)
      const found = new Map((await services.savedObjects.getMany(keys)).map((object) => [keyText(object), object]))
      const saved_objects = keys.map((key) => {
        const object = found.get(keyText(key))
        const message = `Saved object [${key.type}/${key.id}] not found`
        return object ?? { ...key, error: { statusCode: 404, error: 'Not Found', message } }
      })
      return { json: { saved_objects } }
    },
  },
  {
    method: 'GET',
    path: '/api/saved_objects/:type/:id',
    access: 'authenticated',
    async handle(call, services) {
      return { json: await existing(call, services) }
    },
  },
  { method: 'POST', path: '/api/saved_objects/:type', access: 'authenticated', handle: create },
  { method: 'POST', path: '/api/saved_objects/:type/:id', access: 'authenticated', handle: create },
  {
    method: 'PUT',
    path: '/api/saved_objects/:type/:id',
    access: 'authenticated',
    async handle(call, services) {
      await requireEditor(call, services)
      const before = await existing(call, services)
      const change = readBody(call, writeSchema.partial())
      const { version, ...kept } = before
      const after: SavedObject = {
        ...kept,
        attributes: { ...before.attributes, ...change.attributes },
        references: change.references ?? before.references,
      }
      return { json: await services.savedObjects.save(after, { overwrite: true }) }
    },
  },
  {
    method: 'DELETE',
    path: '/api/saved_objects/:type/:id',
    access: 'authenticated',
    async handle(call, services) {
      await requireEditor(call, services)
      const key = { type: pathParameter(call, 'type'), id: pathParameter(call, 'id') }
      if (!(await services.savedObjects.delete(key))) throw notFound(key)
      return { json: {} }
    },
  },
)

async function create(call: Call, services: Services): Promise<{ json: unknown }> {
  await requireEditor(call, services)
  const type = pathParameter(call, 'type')
  if (!Object.hasOwn(savedObjectTypes, type)) {
    throw new AppError(dashboardErrors.saved_object_type, `Unsupported saved object type: '${type}'`)
  }
  const { overwrite } = checked(call.query, z.looseObject({ overwrite: flag }), 'query')
  const { attributes, references, ...origin } = readBody(call, writeSchema)
  const id = call.params['id'] ?? randomUUID()
  const versions = Object.fromEntries(Object.entries(origin).filter(([, value]) => value !== undefined))
  const object: SavedObject = { type, id, attributes, references, ...versions }
  const saved = await services.savedObjects.save(object, { overwrite: overwrite === 'true' || overwrite === '' })
  return { json: saved }
}

async function existing(call: Call, services: Services): Promise<SavedObject> {
  const key = { type: pathParameter(call, 'type'), id: pathParameter(call, 'id') }
  const object = await services.savedObjects.get(key)
  if (!object) throw notFound(key)
  return object
}

/** A page of `_find`: with the attributes that `fields` names, or with all. */
async function findWhole(call: Call, services: Services): Promise<Page> {
  const wanted = call.query['fields']?.split(',').filter((name) => name !== '')
  const page = await find(call, services, { perPage: 20, attributes: wanted ?? [] })
  if (wanted) {
    const shown = ({ attributes, ...object }: SavedObject): SavedObject => ({
      ...object,
      attributes: Object.fromEntries(Object.entries(attributes).filter(([name]) => wanted.includes(name))),
    })
    return { ...page, objects: page.objects.map(shown) }
  }
  // All that objects hold is read of those that are on the page only.
  const whole = new Map((await services.savedObjects.getMany(page.objects)).map((object) => [keyText(object), object]))
  return { ...page, objects: page.objects.flatMap((object) => whole.get(keyText(object)) ?? []) }
}

/** One page of what fits, with titles and the named attributes. */
async function find(
  call: Call,
  services: Services,
  defaults: { readonly perPage: number; readonly attributes: readonly string[] },
): Promise<Page> {
  const query = checked(call.query, findSchema, 'query')
  const types = query.type?.split(',').filter((type) => type !== '')
  const attributes = [...new Set([...titleFields, ...defaults.attributes])]
  const all = await services.savedObjects.find({ attributes, ...(types ? { types } : {}) })
  const words = query.search?.toLowerCase().replaceAll('*', ' ').split(/\s+/).filter(Boolean) ?? []
  const matching = all.filter((object) => words.every((word) => titleOf(object).toLowerCase().includes(word)))
  sortObjects(matching, query.sort_field ?? query.sortField, query.sort_order ?? query.sortOrder)
  const perPage = query.per_page ?? query.perPage ?? defaults.perPage
  const start = (query.page - 1) * perPage
  return { page: query.page, perPage, total: matching.length, objects: matching.slice(start, start + perPage) }
}

function sortObjects(objects: SavedObject[], field: string | undefined, order: 'asc' | 'desc' | undefined): void {
  const keyOf: Readonly<Record<string, (object: SavedObject) => string>> = {
    title: (object) => titleOf(object).toLowerCase(),
    type: (object) => object.type,
    updated_at: (object) => object.updated_at ?? '',
    created_at: (object) => object.created_at ?? '',
  }
  const key = keyOf[field ?? 'title']
  if (!key) return
  const sign = order === 'desc' ? -1 : 1
  objects.sort((left, right) => sign * key(left).localeCompare(key(right)))
}
