import { randomUUID } from 'node:crypto'
import type { SavedObject } from '@logstack/contracts'
import { z } from 'zod'
import { defineRoutes, pathParameter, readBody } from '../route.ts'
import { notFound, type SavedObjectRepository } from '../saved-objects/repository.ts'
import { requireEditor } from './saved-objects.ts'

// The user's choice is a `config` object with Kibana's attribute, under an id that no version change loses.
const configKey = { type: 'config', id: 'logstack' }
const shippedDefault = 'logs-*'
// A pattern that Kibana 7 exported lists thousands of fields; lists of patterns do not need them.
const shownAttributes = [
  'title',
  'name',
  'timeFieldName',
  'fieldAttrs',
  'fieldFormatMap',
  'runtimeFieldMap',
  'sourceFilters',
]
const createSchema = z.object({
  data_view: z.object({
    id: z.string().optional(),
    title: z.string().min(1).max(2_000),
    name: z.string().optional(),
    timeFieldName: z.string().optional(),
  }),
  override: z.boolean().default(false),
})
const defaultSchema = z.object({ data_view_id: z.string().nullable(), force: z.boolean().default(false) })

/** Index patterns (Kibana's data views) and which of them is the Default. */
export const dataViewRoutes = defineRoutes(
  {
    method: 'GET',
    path: '/api/data_views',
    access: 'authenticated',
    async handle(_call, services) {
      const patterns = await services.savedObjects.find({ types: ['index-pattern'], attributes: shownAttributes })
      const scripted = await services.scriptedFields.of(patterns)
      const data_view = patterns.map((pattern) => ({
        ...toDataView(pattern),
        ...calculationsOf(pattern, scripted.get(pattern.id) ?? []),
      }))
      return { json: { data_view } }
    },
  },
  {
    method: 'GET',
    path: '/api/data_views/default',
    access: 'authenticated',
    async handle(_call, services) {
      return { json: { data_view_id: await defaultPattern(services.savedObjects) } }
    },
  },
  {
    method: 'POST',
    path: '/api/data_views/default',
    access: 'authenticated',
    async handle(call, services) {
      await requireEditor(call, services)
      const { data_view_id: id, force } = readBody(call, defaultSchema)
      if (id !== null && !(await services.savedObjects.get({ type: 'index-pattern', id }))) {
        throw notFound({ type: 'index-pattern', id })
      }
      const config = await services.savedObjects.get(configKey)
      if (force || config?.attributes['defaultIndex'] === undefined) {
        const attributes = { ...config?.attributes, defaultIndex: id }
        await services.savedObjects.save({ ...configKey, attributes, references: [] }, { overwrite: true })
      }
      return { json: { acknowledged: true } }
    },
  },
  {
    method: 'POST',
    path: '/api/data_views/data_view',
    access: 'authenticated',
    async handle(call, services) {
      await requireEditor(call, services)
      const { data_view: view, override } = readBody(call, createSchema)
      const { title, name, timeFieldName } = view
      const object: SavedObject = {
        type: 'index-pattern',
        id: view.id ?? randomUUID(),
        attributes: { title, name: name ?? title, ...(timeFieldName ? { timeFieldName } : {}), fields: '[]' },
        references: [],
      }
      return { json: { data_view: toDataView(await services.savedObjects.save(object, { overwrite: override })) } }
    },
  },
  {
    method: 'GET',
    path: '/api/data_views/data_view/:id',
    access: 'authenticated',
    async handle(call, services) {
      const key = { type: 'index-pattern', id: pathParameter(call, 'id') }
      const object = await services.savedObjects.get(key)
      if (!object) throw notFound(key)
      return { json: { data_view: toDataView(object) } }
    },
  },
  {
    method: 'DELETE',
    path: '/api/data_views/data_view/:id',
    access: 'authenticated',
    async handle(call, services) {
      await requireEditor(call, services)
      const key = { type: 'index-pattern', id: pathParameter(call, 'id') }
      if (!(await services.savedObjects.delete(key))) throw notFound(key)
      return { json: {} }
    },
  },
)

/** The Default pattern's id: the user's choice, else `logs-*`, else the first by title; null without any pattern. */
async function defaultPattern(repository: SavedObjectRepository): Promise<string | null> {
  const [patterns, config] = await Promise.all([
    repository.find({ types: ['index-pattern'], attributes: shownAttributes }),
    repository.get(configKey),
  ])
  const wanted = [config?.attributes['defaultIndex'], shippedDefault]
  const found = wanted.find((id) => patterns.some((pattern) => pattern.id === id))
  return typeof found === 'string' ? found : (patterns[0]?.id ?? null)
}

/** What a pattern says of which fields are shown, how, and how they are calculated, as exports write it; patterns that say nothing have no such keys. */
function calculationsOf({ attributes }: SavedObject, scriptedFields: readonly unknown[]): Record<string, unknown> {
  const { fieldAttrs, fieldFormatMap, runtimeFieldMap, sourceFilters } = attributes
  const said = Object.entries({ fieldAttrs, fieldFormatMap, runtimeFieldMap, sourceFilters }).filter(
    ([, value]) => value !== undefined && value !== '{}' && value !== '[]' && value !== '',
  )
  return { ...Object.fromEntries(said), ...(scriptedFields.length > 0 ? { scriptedFields } : {}) }
}

function toDataView(object: SavedObject): Record<string, unknown> {
  const { title, name, timeFieldName } = object.attributes
  return { id: object.id, namespaces: object.namespaces ?? [], title, name: name ?? title, timeFieldName }
}
