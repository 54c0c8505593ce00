import { type Json, jsonArray, jsonObject, number, text } from '../../../kibana/saved-json.ts'
import { type ColumnLook, DataTable, type TotalFunction, totalFunctions } from '../draw/data-table.tsx'
import { lensVisualization } from '../model/lens.ts'
import { layerRequest } from '../model/lens-layer.ts'
import { paletteColor } from '../model/palette-color.ts'
import { defineDataPanel } from '../model/panel.ts'
import type { Column, Table } from '../model/table.ts'
import { transposed } from '../model/transposed.ts'
import { filterByCell } from './filter-by-cell.ts'

/** The Lens table. */
export const lnsDatatable = defineDataPanel('lnsDatatable', ({ panel, context }) => {
  const visualization = lensVisualization(panel)
  const request = layerRequest(panel, text(visualization['layerId']) ?? '', context.objects)
  const settings = jsonArray(visualization['columns'])
  const paging = jsonObject(visualization['paging'])
  const sorting = jsonObject(visualization['sorting'])
  const sortId = text(sorting['columnId'])
  const direction = sorting['direction'] === 'asc' ? ('asc' as const) : ('desc' as const)
  const across = settings.flatMap(({ columnId, isTransposed }) => (isTransposed === true ? (text(columnId) ?? []) : []))
  return {
    requests: request ? [request] : [],
    draw: ([found]) => {
      if (!found || !request) return null
      const { table, sources } = transposed(found, across)
      const sourceOf = (id: string): string => sources.get(id) ?? id
      const columns = shownColumns(table, settings, sourceOf)
      return (
        <DataTable
          table={table}
          columns={columns}
          pageSize={paging['enabled'] === true ? (number(paging['size']) ?? 10) : 100}
          sorting={sortId ? { id: sortId, direction } : undefined}
          totals={new Map(columns.flatMap(({ id }) => totalsOf(id, settingOf(settings, sourceOf(id)))))}
          looks={new Map(columns.map(({ id }) => [id, lookOf(found, sourceOf(id), settings)]))}
          onFilterCell={filterByCell(request, context)}
        />
      )
    },
  }
})

function settingOf(settings: readonly Json[], id: string): Json {
  return settings.find(({ columnId }) => columnId === id) ?? {}
}

function shownColumns(table: Table, settings: readonly Json[], sourceOf: (id: string) => string): Column[] {
  const visible = settings.filter((setting) => setting['hidden'] !== true).map(({ columnId }) => columnId)
  const listed = visible.flatMap((id) => table.columns.filter((column) => sourceOf(column.id) === id))
  const isTurned = listed.some(({ id }) => sourceOf(id) !== id)
  // Groups come before numbers whatever the order in the list, as in Kibana; the columns of one value stay together.
  const place = (column: Column): number =>
    isTurned ? table.columns.indexOf(column) : Number(column.role === 'metric')
  return [...listed].sort((left, right) => place(left) - place(right))
}

function totalsOf(id: string, setting: Json): [string, TotalFunction][] {
  const by = totalFunctions.find((one) => one === setting['summaryRow'])
  return by ? [[id, by]] : []
}

function lookOf(table: Table, id: string, settings: readonly Json[]): ColumnLook {
  const setting = settingOf(settings, id)
  const align = (['left', 'center', 'right'] as const).find((one) => one === setting['alignment'])
  const isFilter = setting['oneClickFilter'] === true
  const mode = setting['colorMode']
  if (mode !== 'cell' && mode !== 'text') return { align, isFilter }
  const numbers = table.rows.map((row) => row[id]).filter((value) => typeof value === 'number')
  const span = {
    min: numbers.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
    max: numbers.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
  }
  return {
    align,
    isFilter,
    colorMode: mode === 'cell' ? 'background' : 'text',
    colorOf: (value) => paletteColor(setting['palette'], value, span),
  }
}
