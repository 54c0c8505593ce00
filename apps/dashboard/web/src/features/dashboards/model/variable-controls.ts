import type { SavedObject } from '@logstack/contracts'
import type { EsqlParameter } from '../../../api/esql.ts'
import type { EsqlVariable, VariableChoices } from '../../../esql/variables.ts'
import { jsonObject, number, text, texts } from '../../../kibana/saved-json.ts'

/** A control whose choice is the value of a parameter of queries in ES|QL. */
export interface VariableControlModel {
  readonly id: string
  readonly label: string
  /** The parameter, without its question mark. */
  readonly name: string
  /** Whether it stands for the name of a field or a function. */
  readonly isIdentifier: boolean
  /** Whether several values may be chosen; a parameter of them is a list. */
  readonly multiple: boolean
  /** Offered, unless a query finds them. */
  readonly options: readonly string[]
  /** A query in ES|QL whose first column is offered. */
  readonly esql: string | undefined
  /** The choice the control was saved with. */
  readonly saved: readonly string[]
}

const identifierTypes = new Set(['fields', 'functions'])

/** The controls of variables above a dashboard (Kibana 8.18 and later), in their order. */
export function variableControlsOf(dashboard: SavedObject): VariableControlModel[] {
  const group = jsonObject(dashboard.attributes['controlGroupInput'])
  return Object.entries(jsonObject(group['panelsJSON']))
    .map(([id, panel]) => ({ id, panel: jsonObject(panel) }))
    .filter(({ panel }) => panel['type'] === 'esqlControl')
    .sort((left, right) => (number(left.panel['order']) ?? 0) - (number(right.panel['order']) ?? 0))
    .flatMap(({ id, panel }) => {
      const input = jsonObject(panel['explicitInput'])
      const name = text(input['variableName'])?.replace(/^\?+/, '')
      if (name === undefined || name === '') return []
      const query = text(input['esqlQuery'])
      const type = text(input['variableType']) ?? ''
      return [
        {
          id,
          label: text(input['title']) || name,
          name,
          isIdentifier: identifierTypes.has(type),
          multiple: type === 'multi_values' && input['singleSelect'] !== true,
          options: texts(input['availableOptions']),
          esql: input['controlType'] === 'VALUES_FROM_QUERY' && query ? query : undefined,
          saved: texts(input['selectedOptions']),
        },
      ]
    })
}

/** What is chosen for a control: what the address says, else what it was saved with, else the first that it offers by itself. */
export function chosenOf({ name, saved, options }: VariableControlModel, choices: VariableChoices): readonly string[] {
  const chosen = Object.hasOwn(choices, name) ? choices[name] : undefined
  if (chosen) return chosen
  return saved.length > 0 ? saved : options.slice(0, 1)
}

/** The parameters that the controls give. One for which nothing is chosen gives none, and search says by name that it is missing. */
export function variablesOf(controls: readonly VariableControlModel[], choices: VariableChoices): EsqlVariable[] {
  return controls.flatMap((control) => {
    const values = chosenOf(control, choices)
    const [first] = values
    return first === undefined ? [] : [{ name: control.name, value: parameterOf(control, values, first) }]
  })
}

function parameterOf(
  { isIdentifier, multiple }: VariableControlModel,
  values: readonly string[],
  first: string,
): EsqlParameter {
  if (isIdentifier) return { identifier: first }
  return multiple ? values.map(literalOf) : literalOf(first)
}

/** Options are saved as texts, numbers too. */
function literalOf(option: string): string | number {
  return option.trim() === '' || !Number.isFinite(Number(option)) ? option : Number(option)
}
