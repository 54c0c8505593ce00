import type { QueryClause } from '@logstack/kql'
import type { ComponentType, ReactNode } from 'react'
import type { EsqlVariable } from '../../../esql/variables.ts'
import type { LanguageQuery, QueryLanguage } from '../../../query/build-query.ts'
import type { ResolvedRange, TimeRange } from '../../../time/time-range.ts'
import type { FieldFilter } from '../../../url-state/field-filters.ts'
import type { ObjectMap } from './objects.ts'
import type { PanelModel } from './panel-model.ts'
import type { PanelRequest, Table } from './table.ts'

/** What all panels of a dashboard share: its range, its query and filters, and the objects it points at. */
export interface DashboardContext {
  readonly range: ResolvedRange
  readonly round: number
  readonly queries: readonly LanguageQuery[]
  readonly filters: readonly QueryClause[]
  /** The pills among `filters`, as they were chosen. */
  readonly pills: readonly FieldFilter[]
  /** What the dashboard's controls give to the parameters of queries in ES|QL. */
  readonly variables: readonly EsqlVariable[]
  readonly objects: ObjectMap
  /** The range and the query as they stand in the address, for links to other pages. */
  readonly address: { readonly range: TimeRange; readonly query: string; readonly language: QueryLanguage }
  /** Adds a filter to the dashboard. */
  readonly onFilter: (filter: FieldFilter) => void
  /** Adds several at once: a slice of a slice. */
  readonly onFilters: (filters: readonly FieldFilter[]) => void
  /** What a control of the dashboard chose; nothing takes its choice back. */
  readonly onControl: (control: string, filter: FieldFilter | undefined) => void
  /** What a control chose for a variable; nothing leaves what the dashboard was saved with. */
  readonly onVariable: (name: string, values: readonly string[] | undefined) => void
  readonly onZoom: (fromMs: number, toMs: number) => void
}

export interface PanelProps {
  readonly panel: PanelModel
  readonly context: DashboardContext
}

/** What a data panel asks for, and how its tables are drawn. */
export interface PreparedPanel {
  readonly requests: readonly PanelRequest[]
  /** Whether there is something to see without any row: the land of a map, words, why nothing can be calculated. */
  readonly drawsEmpty?: boolean
  draw(tables: readonly Table[]): ReactNode
}

/** A kind of panel, named by its wire keyword; `panels/index.ts` lists it. Data panels only prepare: one component loads and draws them all. */
export type PanelKind = { readonly kind: string } & (
  | { readonly Component: ComponentType<PanelProps> }
  | { readonly prepare: (props: PanelProps) => PreparedPanel }
)

/** Declares a panel with a component of its own. */
export function definePanel(kind: string, Component: ComponentType<PanelProps>): PanelKind {
  return { kind, Component }
}

/** Declares a panel that is drawn from tables. */
export function defineDataPanel(kind: string, prepare: (props: PanelProps) => PreparedPanel): PanelKind {
  return { kind, prepare }
}
