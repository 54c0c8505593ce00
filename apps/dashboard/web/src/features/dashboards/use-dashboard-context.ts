import { useEffect, useMemo, useRef } from 'react'
import { readChoices, type VariableChoices, writeChoices } from '../../esql/variables.ts'
import { pillClauses } from '../../query/build-query.ts'
import { readLanguage } from '../../query/language.ts'
import type { ResolvedRange } from '../../time/time-range.ts'
import type { TimeState } from '../../time/use-time-range.ts'
import { type FieldFilter, readFilters, writeFilters } from '../../url-state/field-filters.ts'
import { useUrlState } from '../../url-state/use-url-state.ts'
import type { ControlModel } from './model/controls.ts'
import type { DashboardModel } from './model/dashboard.ts'
import type { ObjectMap } from './model/objects.ts'
import type { DashboardContext } from './model/panel.ts'
import { narrowingsInForce, readChanged } from './model/saved-narrowing.ts'
import { variablesOf } from './model/variable-controls.ts'

interface Shown {
  readonly dashboard: DashboardModel
  readonly objects: ObjectMap
  readonly time: TimeState
  /** The page's range, or the slice of it that is looked at. */
  readonly resolved: ResolvedRange
}

interface Shared {
  readonly context: DashboardContext
  readonly choices: VariableChoices
  readonly setFilters: (next: readonly FieldFilter[]) => void
}

/** What the panels of a dashboard share, as its address says it; what is chosen goes back there. */
export function useDashboardContext({ dashboard, objects, time, resolved }: Shown): Shared {
  const { get, set } = useUrlState()
  const query = get('query') ?? ''
  const language = readLanguage(get('language'))
  const filterText = get('filters')
  const filters = useMemo(() => readFilters(filterText), [filterText])
  const changedText = get('changed')
  const saved = useMemo(
    () => narrowingsInForce(dashboard.narrowings, readChanged(changedText)),
    [dashboard.narrowings, changedText],
  )
  const choiceText = get('variables')
  const choices = useMemo(() => readChoices(choiceText), [choiceText])
  useSavedChoices(dashboard.controls, filterText, set)
  const { round, setRange } = time
  const context = useMemo(
    (): DashboardContext => ({
      range: resolved,
      round,
      queries: [...saved.queries, { language, query }],
      filters: [...saved.filters, ...pillClauses(filters)],
      pills: filters,
      variables: variablesOf(dashboard.variables, choices),
      objects,
      address: { range: time.range, query, language },
      onFilter: (filter) => set({ filters: writeFilters([...filters, filter]) }),
      onFilters: (added) => set({ filters: writeFilters([...filters, ...added]) }),
      onControl: (control, filter) => {
        const others = filters.filter((pill) => pill.control !== control)
        set({ filters: writeFilters(filter ? [...others, { ...filter, control }] : others) })
      },
      onVariable: (name, values) => {
        const { [name]: _before, ...others } = choices
        set({ variables: writeChoices(values ? { ...others, [name]: values } : others) })
      },
      onZoom: (fromMs, toMs) => setRange({ from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }),
    }),
    [
      resolved,
      round,
      dashboard.variables,
      saved,
      query,
      language,
      filters,
      choices,
      objects,
      time.range,
      set,
      setRange,
    ],
  )
  return { context, choices, setFilters: (next) => set({ filters: writeFilters(next) }) }
}

/** What the controls were saved with, until the address says otherwise. */
function useSavedChoices(
  controls: readonly ControlModel[],
  filterText: string | undefined,
  set: (values: { filters: string | undefined }) => void,
): void {
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) return
    isFirst.current = false
    const saved = controls.flatMap(({ id, saved: filter }) => (filter ? [{ ...filter, control: id }] : []))
    const others = readFilters(filterText)
    // Filters that were pinned on another page say nothing about the controls of this one.
    const isUntouched = others.every(({ pinned }) => pinned)
    if (isUntouched && saved.length > 0) set({ filters: writeFilters([...others, ...saved]) })
  }, [controls, filterText, set])
}
