import { fieldFormatsOf } from '../kibana/field-formats.ts'
import { type FieldNames, fieldNamesOf } from '../kibana/field-names.ts'
import { type RuntimeFields, runtimeFieldsOf } from '../kibana/runtime-fields.ts'
import { sourceFiltersOf } from '../kibana/source-filters.ts'
import type { FieldFormats } from '../kibana/value-format.ts'
import { noteCalculated } from './calculated-fields.ts'
import { request } from './client.ts'

/** An index pattern as the pages use it. */
export interface IndexPattern {
  readonly id: string
  /** The names it stands for, `logs-*`. */
  readonly title: string
  readonly name: string
  readonly timeField: string | undefined
  readonly isDefault: boolean
  /** How it shows values of its fields. */
  readonly formats: FieldFormats | undefined
  /** What it calls its fields. */
  readonly names: FieldNames | undefined
  /** The fields that it leaves out of documents, with wildcards. */
  readonly leavesOut: readonly string[]
  /** The fields that it calculates. */
  readonly runtime: RuntimeFields
}

interface DataView {
  readonly id: string
  readonly title: string
  readonly name?: string
  readonly timeFieldName?: string
  readonly fieldAttrs?: unknown
  readonly fieldFormatMap?: unknown
  readonly runtimeFieldMap?: unknown
  readonly sourceFilters?: unknown
  /** Of all its fields those with scripts. */
  readonly scriptedFields?: readonly unknown[]
}

/** The index patterns, the Default first. */
export async function loadIndexPatterns(signal?: AbortSignal): Promise<IndexPattern[]> {
  const [views, chosen] = await Promise.all([
    request<{ data_view: DataView[] }>('api/data_views', { signal }),
    request<{ data_view_id: string | null }>('api/data_views/default', { signal }),
  ])
  const patterns = views.data_view.map((view) => ({
    id: view.id,
    title: view.title,
    name: view.name ?? view.title,
    timeField: view.timeFieldName,
    isDefault: view.id === chosen.data_view_id,
    formats: fieldFormatsOf({ fieldFormatMap: view.fieldFormatMap }),
    names: fieldNamesOf({ fieldAttrs: view.fieldAttrs, runtimeFieldMap: view.runtimeFieldMap }),
    leavesOut: sourceFiltersOf({ sourceFilters: view.sourceFilters }),
    runtime: runtimeFieldsOf({ runtimeFieldMap: view.runtimeFieldMap, fields: view.scriptedFields }),
  }))
  noteCalculated(patterns)
  return patterns.sort(
    (left, right) => Number(right.isDefault) - Number(left.isDefault) || left.name.localeCompare(right.name),
  )
}
