import type { ValueType } from '@logstack/rules'
import type { ComputedField } from '../../model/mapping.ts'
import { elementTypes, type FieldColumns } from '../field-columns.ts'
import { join, list, num, type Sql, sql, str } from '../sql.ts'
import type { Held } from './expressions.ts'
import { allValues, type Values } from './fields.ts'
import { asDouble } from './numbers.ts'
import type { ScriptEffects, ScriptEvent } from './statements.ts'
import { printedText } from './texts.ts'
import {
  both,
  bounded,
  decimal,
  either,
  isNumber,
  no,
  not,
  type Typed,
  typedValue,
  Untranslatable,
} from './typed-sql.ts'

/** What a script gives to its field, as columns. */
export interface GivenColumns extends FieldColumns {
  /** Where the script fails. */
  readonly fault: Sql
  /** Where the columns may not be what the script gives. */
  readonly inexact: Sql
}

/** Which field a script is of. */
export interface GivenTo {
  readonly type: ValueType
  readonly gives: ComputedField['gives']
  /** What it emitted before it failed is what it gives. */
  readonly bearsFaults: boolean
}

/** What fields of scripts that are translated hold. */
const fittedTypes: ReadonlySet<ValueType> = new Set(['string', 'long', 'double', 'boolean', 'date'])

/** The name of a column's type that has no value, too. */
const nullableName = (type: ValueType): Sql => str(`Nullable(${elementTypes[type]})`)

/** No value. */
const noneOf = (type: ValueType): Sql => sql`CAST(NULL, ${nullableName(type)})`

/** Values of a document that are worth a list. */
const emitsMost = 16

/** Whole doubles that keep their digits when they are printed and read. */
const wholeMax = 2 ** 53

/** A value as one of a field's type; NULL where it is null. */
interface Fitted {
  readonly sql: Sql
  readonly fault: Sql
  readonly inexact: Sql
}

function bareFitted(value: Typed, type: ValueType): Typed {
  const isNumeric = value.type === 'int' || value.type === 'long' || value.type === 'double' || value.type === 'date'
  switch (type) {
    case 'boolean':
      if (value.type === 'boolean') return value
      break
    case 'long':
    case 'date':
      if (value.type === 'double')
        return {
          ...value,
          sql: sql`toInt64(if(abs(${value.sql}) < ${decimal(wholeMax)}, ${value.sql}, ${decimal(0)}))`,
          inexact: either(value.inexact, sql`(NOT abs(${value.sql}) < ${decimal(wholeMax)})`),
        }
      if (isNumeric) return value
      break
    case 'double':
      // Noughts of fields have no sign.
      if (isNumeric)
        return { ...value, sql: value.type === 'double' ? sql`(${value.sql} + ${decimal(0)})` : asDouble(value) }
      break
    case 'string':
      return printedText({ ...value, isNull: no })
    default:
  }
  throw new Untranslatable('a type that is fitted otherwise')
}

function fitted(value: Typed, type: ValueType): Fitted {
  const none = noneOf(type)
  if (value.type === 'null') return { sql: none, fault: value.fault, inexact: value.inexact }
  const { sql: made, inexact } = bareFitted(value, type)
  const typed = sql`CAST(${made}, ${nullableName(type)})`
  const nullable = value.isNull === no ? typed : sql`if(${value.isNull}, ${none}, ${typed})`
  return { sql: bounded(nullable), fault: value.fault, inexact }
}

/** What `multiIf` gives of cases in their order; NULL without one. */
function firstCase(cases: readonly (readonly [when: Sql, then: Sql])[], otherwise: Sql): Sql {
  if (cases.length === 0) return otherwise
  return bounded(
    sql`multiIf(${join(
      cases.map(([when, then]) => sql`${when}, ${then}`),
      ', ',
    )}, ${otherwise})`,
  )
}

function faultOf(events: readonly ScriptEvent[]): Sql {
  const last = events.findLastIndex(({ kind }) => kind === 'fault')
  const cases = events
    .slice(0, last + 1)
    .filter(({ kind }) => kind !== 'emit')
    .map(({ kind, when }) => [when, kind === 'fault' ? sql`true` : no] as const)
  return cases.length === 0 ? no : firstCase(cases, no)
}

/** What scripts that emit give. */
function emitted({ events, emitsMost: most, inexact }: ScriptEffects, { type, bearsFaults }: GivenTo): GivenColumns {
  const none = noneOf(type)
  let unsure = inexact
  const given = (event: ScriptEvent): Sql => {
    if (event.kind !== 'emit') return none
    const made = fitted(event.value, type)
    unsure = either(unsure, made.inexact)
    return made.sql
  }
  const fault = bearsFaults ? no : faultOf(events)
  if (most <= 1) {
    const counted = bearsFaults ? events : events.filter(({ kind }) => kind !== 'fault')
    const one = firstCase(
      counted.map((event) => [event.when, given(event)] as const),
      none,
    )
    return { one, many: undefined, fault, inexact: unsure }
  }
  if (bearsFaults || most > emitsMost) throw new Untranslatable('many values')
  let ended: Sql = no
  const cells: Sql[] = []
  for (const event of events) {
    if (event.kind === 'return') ended = either(ended, event.when)
    if (event.kind === 'emit') cells.push(sql`if(${both(event.when, not(ended))}, ${given(event)}, ${none})`)
  }
  const all = sql`arrayMap(v -> assumeNotNull(v), arrayFilter(v -> isNotNull(v), ${list(cells)}))`
  return { ...oneOrMany(bounded(all), none), fault, inexact: unsure }
}

/** A list of values as columns have it. */
function oneOrMany(all: Sql, none: Sql): FieldColumns {
  return {
    one: bounded(sql`if(length(${all}) = 1, ${all}[${num(1)}], ${none})`),
    many: bounded(sql`if(length(${all}) > 1, ${all}, [])`),
  }
}

/** What scripts that return give. */
function returned(effects: ScriptEffects, to: GivenTo): GivenColumns {
  const { events, inexact } = effects
  const values = events.flatMap((event) => (event.kind === 'return' ? [event] : []))
  const [only] = values
  const all = only?.value?.kind === 'list' ? only.value.of : only?.value
  if (all?.kind === 'values' && values.length === 1 && to.gives === 'values') return listed(effects, all, to)
  if (events.some(({ kind }) => kind === 'emit')) throw new Untranslatable('values that go nowhere')
  const otherwise = elseValue(to)
  let unsure = inexact
  const faults: [when: Sql, fails: Sql][] = []
  const cases = values.map(({ when, value }) => {
    const made = value === undefined ? { sql: otherwise, fault: no, inexact: no } : scoredOrFitted(value, to)
    unsure = either(unsure, made.inexact)
    faults.push([when, made.fault])
    return [when, made.sql] as const
  })
  const late = faults.every(([, fails]) => fails === no) ? no : firstCase(faults, no)
  return { one: firstCase(cases, otherwise), many: undefined, fault: either(faultOf(events), late), inexact: unsure }
}

/** What a path without a value gives. */
function elseValue({ gives, type }: GivenTo): Sql {
  if (gives === 'score' || gives === 'factor') return sql`CAST(0, 'Nullable(Float64)')`
  if (gives === 'returned' && type === 'boolean') return sql`CAST(false, 'Nullable(Bool)')`
  return noneOf(type)
}

function scoredOrFitted(held: Held, to: GivenTo): Fitted {
  if (held.kind !== 'value') throw new Untranslatable('no single value')
  const { gives, type } = to
  if (gives === 'score' || gives === 'factor') {
    if (held.type !== 'null' && !isNumber(held)) throw new Untranslatable('no number')
    const score = fitted({ ...held, isNull: no }, 'double')
    const bare = sql`assumeNotNull(${score.sql})`
    const refused = gives === 'score' ? sql`(NOT ${bare} >= 0)` : sql`(${bare} < 0)`
    return { ...score, fault: either(held.isNull, refused) }
  }
  const made = fitted(held, type)
  const isFalse = gives === 'returned' && type === 'boolean' && held.isNull !== no
  return isFalse ? { ...made, sql: sql`ifNull(${made.sql}, CAST(false, 'Nullable(Bool)'))` } : made
}

/** What a script gives that returns all values of a field. */
function listed({ events, inexact }: ScriptEffects, held: Values, { type }: GivenTo): GivenColumns {
  const { single, several, has } = allValues({ kind: 'values', of: held.of })
  const fit = fitted({ ...single, isNull: not(has) }, type)
  const ofEach = several && fitted(typedValue(single.type, sql`v`, [], { bytesMax: single.bytesMax ?? 0 }), type)
  if (ofEach && ofEach.inexact !== no) throw new Untranslatable('values that may not fit')
  const many = several && ofEach && bounded(sql`arrayMap(v -> assumeNotNull(${ofEach.sql}), ${several})`)
  const fault = either(faultOf(events), single.fault)
  const unsure = either(inexact, fit.inexact)
  if (!many) return { one: fit.sql, many: undefined, fault, inexact: unsure }
  const none = noneOf(type)
  return {
    one: bounded(
      sql`multiIf(length(${many}) = 1, CAST(${many}[${num(1)}], ${nullableName(type)}), empty(${many}), ${fit.sql}, ${none})`,
    ),
    many: bounded(sql`if(length(${many}) > 1, ${many}, [])`),
    fault,
    inexact: unsure,
  }
}

/** Columns of what a script gives to a field. Throws `Untranslatable`. */
export function givenColumns(effects: ScriptEffects, to: GivenTo): GivenColumns {
  if (!fittedTypes.has(to.type)) throw new Untranslatable('a type that is fitted otherwise')
  if (to.gives === 'emitted') return emitted(effects, to)
  if (to.gives === 'named' || to.bearsFaults) throw new Untranslatable('values by their names')
  return returned(effects, to)
}
