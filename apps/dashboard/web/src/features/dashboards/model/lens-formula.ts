import { type Json, jsonObject, number, text, texts } from '../../../kibana/saved-json.ts'
import type { ValueFormat } from '../../../kibana/value-format.ts'
import { expressionOfTree } from './derived/expression.ts'
import type { SequenceName } from './derived/sequences.ts'
import type { DerivedSpec } from './table.ts'

const second = 1_000
const units: Readonly<Record<string, number>> = {
  s: second,
  m: 60 * second,
  h: 3_600 * second,
  d: 86_400 * second,
}

/** What Lens calls a calculation along the rows, and what it is called here. */
const sequenceNames: Readonly<Record<string, SequenceName>> = {
  counter_rate: 'counter_rise',
  differences: 'differences',
  cumulative_sum: 'cumulative_sum',
  moving_average: 'moving_average',
  overall_sum: 'overall_sum',
  overall_average: 'overall_average',
  overall_min: 'overall_min',
  overall_max: 'overall_max',
}

/** The calculated columns of a Lens layer, those first that others need, and the columns that only serve them. */
export interface LensCalculations {
  readonly derived: readonly DerivedSpec[]
  readonly hidden: readonly string[]
}

/** Reads the formulas of a layer and the functions along its rows. `formatOf` reads a column's number format. */
export function lensCalculations(
  columns: Json,
  formatOf: (format: unknown) => ValueFormat | undefined,
): LensCalculations {
  const derived: DerivedSpec[] = []
  const visited = new Set<string>()
  const visit = (id: string): void => {
    if (visited.has(id) || columns[id] === undefined) return
    visited.add(id)
    const column = jsonObject(columns[id])
    for (const needed of texts(column['references'])) visit(needed)
    derived.push(...specsOf(id, column, formatOf))
  }
  for (const id of Object.keys(columns)) visit(id)
  const all = Object.values(columns).map(jsonObject)
  const served = all.flatMap((column) => texts(column['references']))
  return { derived, hidden: [...new Set(served)] }
}

function specsOf(id: string, column: Json, formatOf: (format: unknown) => ValueFormat | undefined): DerivedSpec[] {
  const base = { id, label: text(column['label']) ?? id, format: formatOf(jsonObject(column['params'])['format']) }
  const unitMs = units[text(column['timeScale']) ?? '']
  const calculation = calculationOf(column)
  const rate: DerivedSpec[] = unitMs === undefined ? [] : [{ ...base, calculation: { type: 'rate', of: id, unitMs } }]
  return calculation ? [{ ...base, calculation }, ...rate] : column['isBucketed'] === true ? [] : rate
}

function calculationOf(column: Json): DerivedSpec['calculation'] | undefined {
  const operation = text(column['operationType']) ?? ''
  const params = jsonObject(column['params'])
  const [of = ''] = texts(column['references'])
  const sequence = sequenceNames[operation]
  if (sequence)
    return { type: 'sequence', name: sequence, of, window: number(params['window']) ?? defaultWindow(operation) }
  switch (operation) {
    case 'formula':
      return of === '' ? undefined : { type: 'expression', expression: { kind: 'variable', name: of }, variables: {} }
    case 'math': {
      const expression = expressionOfTree(params['tinymathAst'])
      return expression && { type: 'expression', expression, variables: {} }
    }
    case 'normalize_by_unit':
    case 'time_scale':
      return { type: 'rate', of, unitMs: units[text(params['unit']) ?? 's'] ?? second }
    case 'interval':
    case 'time_range':
    case 'now':
      return { type: 'constant', name: operation }
    default:
      return undefined
  }
}

const defaultWindow = (operation: string): number => (operation === 'moving_average' ? 5 : 1)

/** Whether a layer calculates along its rows, so that none of them may be left out because it is empty. */
export function needsEveryRow(derived: readonly DerivedSpec[]): boolean {
  return derived.some(({ calculation }) => calculation.type === 'sequence' && !calculation.name.startsWith('overall'))
}
