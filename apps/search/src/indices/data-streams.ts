import { AppError, searchErrors } from '@logstack/errors'
import { dateFormat } from '../dates/date-format.ts'
import type { DataStreamMeta } from '../model/index-meta.ts'
import type { Mapping } from '../model/mapping.ts'
import type { CatalogueState } from './catalogue-state.ts'
import { checkIndexName, noSuchIndex } from './index-names.ts'
import { mergeMappings } from './mapping-merge.ts'
import type { TemplateResult } from './templates.ts'

const timestampField = '@timestamp'

/** The name of a backing index: `.ds-logs-app-default-2026.11.21-000001`. */
export function backingIndexName(stream: string, generation: number, nowMs: number): string {
  const date = dateFormat('yyyy.MM.dd').print({ ms: nowMs, nanos: 0 })
  return `.ds-${stream}-${date}-${String(generation).padStart(6, '0')}`
}

/** The mapping of a backing index: the template's, with `@timestamp` as a date. Throws when the template maps it as something else. */
export function streamMapping(mapping: Mapping): Mapping {
  const merged = mergeMappings({ properties: { [timestampField]: { type: 'date' } } }, mapping, 'template')
  const type = merged.properties?.[timestampField]?.type
  if (type !== 'date' && type !== 'date_nanos')
    throw new AppError(
      searchErrors.illegal_argument_exception,
      `data stream timestamp field [${timestampField}] is of type [${type}], but [date,date_nanos] is expected`,
    )
  return { _data_stream_timestamp: { enabled: true }, ...merged }
}

/** Checks that a data stream may be made and answers the template it is made from. */
export function checkNewStream(
  state: CatalogueState,
  name: string,
  template: TemplateResult | undefined,
): TemplateResult & { name: string } {
  checkIndexName(name)
  if (name.startsWith('.ds-'))
    throw new AppError(searchErrors.illegal_argument_exception, `data_stream [${name}] must not start with '.ds-'`)
  if (state.streams.has(name))
    throw new AppError(searchErrors.resource_already_exists_exception, `data_stream [${name}] already exists`)
  if (state.byName.has(name))
    throw new AppError(searchErrors.illegal_state_exception, `data stream [${name}] conflicts with index`)
  if (template?.name === undefined)
    throw new AppError(
      searchErrors.illegal_argument_exception,
      `no matching index template found for data stream [${name}]`,
    )
  if (!template.dataStream)
    throw new AppError(
      searchErrors.illegal_argument_exception,
      `matching index template [${template.name}] for data stream [${name}] has no data stream template`,
    )
  return { ...template, name: template.name }
}

/** The stream of that name. Throws `index_not_found_exception`. */
export function requireStream(state: CatalogueState, name: string): DataStreamMeta {
  const stream = state.streams.get(name)
  if (stream === undefined) throw noSuchIndex(name)
  return stream
}

/** A new stream with its first backing index. */
export function newStream(name: string, index: string, template: TemplateResult & { name: string }): DataStreamMeta {
  const { hiddenStream: hidden, lifecycle } = template
  const stream = { name, timestampField, indices: [index], generation: 1, template: template.name, hidden } as const
  return lifecycle === undefined ? stream : { ...stream, lifecycle }
}
