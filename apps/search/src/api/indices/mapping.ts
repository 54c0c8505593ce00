import { AppError, isAppError, searchErrors } from '@logstack/errors'
import { refuseBlocked } from '../../indices/blocks.ts'
import { isObject } from '../../json/json-object.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import type { FieldMapping } from '../../model/mapping.ts'
import { visibleMapping } from '../../security/visible-mapping.ts'
import type { Services } from '../../services.ts'
import { defineRoute, type Route, type RouteRequest } from '../define-route.ts'
import { objectBody } from '../read-request.ts'
import { indicesOptionParameters } from '../resources/authorized-indices.ts'
import { byIndex, nameMatcher } from '../resources/show-index.ts'
import { indicesOf } from './index-admin.ts'

const putMapping = defineRoute({
  name: 'indices.put_mapping',
  methods: ['PUT', 'POST'],
  paths: ['/{index}/_mapping', '/{index}/_mappings'],
  privilege: { index: 'manage' },
  parameters: {
    ...indicesOptionParameters,
    timeout: 'time',
    master_timeout: 'time',
    write_index_only: 'boolean',
    include_type_name: 'boolean',
  },
  async handle(request, services) {
    const mapping = objectBody(request.json(), 'mapping')
    if (isTyped(mapping)) {
      const reason = 'Types cannot be provided in put mapping requests'
      throw new AppError(searchErrors.illegal_argument_exception, reason)
    }
    const found = mappedIndices(request, services)
    for (const index of found) refuseBlocked(index, 'metadata_write')
    for (const index of writeOnly(found, request.query['write_index_only'] === true, services)) {
      await services.catalogue.mergeMapping(index, mapping)
    }
    return { json: { acknowledged: true } }
  },
})

/** The indices whose mappings a request changes. Whoever writes documents may, too, as in Elasticsearch, but not those of data streams. */
function mappedIndices(request: RouteRequest, services: Services): readonly IndexMeta[] {
  const options = { expand: ['open', 'closed', 'hidden'], allowNoIndices: false } as const
  const found = (privilege: string) => indicesOf(request, services, 'indices.put_mapping', privilege, options)
  try {
    return found('manage')
  } catch (thrown) {
    if (!isAppError(thrown) || thrown.kind !== 'forbidden') throw thrown
    const written = tried(() => found('create_doc'))
    if (written === undefined || written.some(({ dataStream }) => dataStream !== undefined)) throw thrown
    return written
  }
}

function tried<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (thrown) {
    if (isAppError(thrown) && thrown.kind === 'forbidden') return undefined
    throw thrown
  }
}

/** Whether the mapping stands under the name of a type, as it did before version 7. */
function isTyped(mapping: Readonly<Record<string, unknown>>): boolean {
  const [name] = Object.keys(mapping)
  const inner = name === undefined ? undefined : mapping[name]
  return Object.keys(mapping).length === 1 && !rootKeys.has(name ?? '') && isObject(inner) && 'properties' in inner
}

const rootKeys = new Set(['properties', 'runtime', 'derived', '_meta', '_source', '_routing', '_data_stream_timestamp'])

function writeOnly(
  found: readonly IndexMeta[],
  only: boolean,
  { catalogue }: { catalogue: { dataStream(name: string): { indices: readonly string[] } | undefined } },
): readonly IndexMeta[] {
  if (!only) return found
  return found.filter(
    ({ name, dataStream, aliases }) =>
      (dataStream !== undefined && catalogue.dataStream(dataStream)?.indices.at(-1) === name) ||
      Object.values(aliases).some((alias) => alias.is_write_index),
  )
}

const getMapping = defineRoute({
  name: 'indices.get_mapping',
  methods: ['GET'],
  paths: ['/_mapping', '/_mappings', '/{index}/_mapping', '/{index}/_mappings'],
  privilege: { index: 'view_index_metadata' },
  parameters: { ...indicesOptionParameters, master_timeout: 'time', local: 'boolean', include_type_name: 'boolean' },
  async handle(request, services) {
    const found = indicesOf(request, services, 'indices.get_mapping', 'view_index_metadata')
    return { json: byIndex(found, (index) => ({ mappings: visibleMapping(request.scope, index) })) }
  },
})

const getFieldMapping = defineRoute({
  name: 'indices.get_field_mapping',
  methods: ['GET'],
  paths: ['/_mapping/field/{fields}', '/{index}/_mapping/field/{fields}'],
  privilege: { index: 'view_index_metadata' },
  parameters: { ...indicesOptionParameters, include_defaults: 'boolean', local: 'boolean' },
  async handle(request, services) {
    const wanted = nameMatcher(request.params['fields'])
    const found = indicesOf(request, services, 'indices.get_field_mapping', 'view_index_metadata')
    const shown = request.query['include_defaults'] === true ? withDefaults : (mapping: FieldMapping) => mapping
    const json = byIndex(found, (index) => {
      const fields = leaves(visibleMapping(request.scope, index).properties ?? {}, '').filter(([path]) => wanted(path))
      return {
        mappings: Object.fromEntries(
          fields.map(([path, mapping]) => [
            path,
            { full_name: path, mapping: { [path.split('.').at(-1) ?? path]: shown(mapping) } },
          ]),
        ),
      }
    })
    return { json }
  },
})

const textTypes = new Set(['text', 'match_only_text'])

/** A field with the parameters it has without being told. */
function withDefaults(mapping: FieldMapping): FieldMapping {
  const shared = { index: true, store: false }
  if (textTypes.has(mapping.type ?? '')) return { ...shared, norms: true, analyzer: 'default', ...mapping }
  return { ...shared, doc_values: true, ...mapping }
}

function leaves(properties: Readonly<Record<string, FieldMapping>>, prefix: string): [string, FieldMapping][] {
  return Object.entries(properties).flatMap(([name, field]): [string, FieldMapping][] => {
    const path = prefix + name
    const inner = leaves({ ...field.properties, ...field.fields }, `${path}.`)
    return field.type === undefined || field.type === 'object' || field.type === 'nested'
      ? inner
      : [[path, field], ...inner]
  })
}

/** Reading and extending mappings. */
export const mappingRoutes: readonly Route[] = [putMapping, getMapping, getFieldMapping]
