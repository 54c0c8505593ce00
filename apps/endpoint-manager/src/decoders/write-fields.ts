import type { TimeContext } from '@logstack/syslog'
import {
  type FieldPath,
  type Fields,
  fieldPath,
  fittingValue,
  getField,
  setAt,
  setField,
  setFitting,
} from '../ecs/fields.ts'
import type { Writes } from './decoder-file.ts'
import { eventTime } from './event-time.ts'
import type { Values } from './steps/step.ts'

const onlyValue = /^\{([\w.@-]+)\}$/
const anyValue = /\{([\w.@-]+)\}/g

/** Writes values into a document; `context` says how to read times that do not say their year or zone. */
export type WriteFields = (values: Values, document: Fields, context: TimeContext) => void

/** Makes what a decoder's `time`, `keep`, `set` and `map` say, in this order; undefined when they say nothing. */
export function compileWrites(writes: Writes): WriteFields | undefined {
  const sets = Object.entries(writes.set).map(([field, wanted]) => compileSet(field, wanted))
  const maps = Object.entries(writes.map).map(([field, { from, values, otherwise }]) => ({
    from,
    table: new Map(Object.entries(values).map(([text, wanted]) => [text, compileSet(field, wanted)])),
    otherwise: otherwise === undefined ? undefined : compileSet(field, otherwise),
  }))
  const timeOf = writes.time === undefined ? undefined : fill(writes.time)
  if (sets.length + maps.length === 0 && !timeOf && !writes.keep) return undefined
  return (values, document, context) => {
    if (timeOf) writeTime(timeOf(values), document, context)
    if (writes.keep) keep(writes.keep, values, document)
    for (const set of sets) set(values, document)
    for (const { from, table, otherwise } of maps) {
      const value = values.get(from)
      if (value === undefined) continue
      const text = String(value)
      const set = table.get(text) ?? table.get(text.toLowerCase()) ?? otherwise
      set?.(values, document)
    }
  }
}

function writeTime(text: unknown, document: Fields, context: TimeContext): void {
  const time = text === undefined ? undefined : eventTime(String(text), context)
  if (time !== undefined) document['@timestamp'] = time
}

function keep({ under, prefix, except, lower }: NonNullable<Writes['keep']>, values: Values, document: Fields): void {
  for (const [name, value] of values) {
    if (!name.startsWith(prefix) || name.length === prefix.length || except.includes(name)) continue
    const rest = name.slice(prefix.length).replace(/[^\w.]+/g, '_')
    const path = `${under}.${lower ? rest.toLowerCase() : rest}`
    if (isFieldPath(path)) setField(document, path, value)
  }
}

/** No empty steps and nothing of JavaScript's own. */
function isFieldPath(path: string): boolean {
  return path.split('.').every((step) => step !== '' && step !== '__proto__' && step !== 'constructor')
}

function write(document: Fields, { path, address }: Target, value: unknown): void {
  if (value === undefined || setAt(document, path, value) || address === undefined) return
  if (value !== '?' && value !== '-' && getField(document, address) === undefined) setField(document, address, value)
}

/** Where a value goes. */
interface Target {
  readonly path: FieldPath
  /** An address that is a name belongs into `.address`; ECS has one beside every `.ip` of a peer. */
  readonly address: string | undefined
}

type Wanted = string | number | boolean | readonly string[]

function compileSet(field: string, wanted: Wanted): (values: Values, document: Fields) => void {
  const path = fieldPath(field)
  if (isConstant(wanted)) {
    const fitting = fittingValue(path, wanted)
    return (_values, document) => void setFitting(document, path, fitting)
  }
  const target = { path, address: field.endsWith('.ip') ? field.replace(/\.ip$/, '.address') : undefined }
  const textOf = filled(wanted)
  return (values, document) => write(document, target, textOf(values))
}

function isConstant(wanted: Wanted): boolean {
  return ![wanted].flat().some((text) => typeof text === 'string' && text.includes('{'))
}

type TextOf = (values: Values) => unknown

function filled(wanted: Wanted): TextOf {
  if (typeof wanted === 'string') return fill(wanted)
  if (typeof wanted !== 'object') return () => wanted
  const items = wanted.map(fill)
  return (values) => {
    const list = items.flatMap((textOf) => textOf(values) ?? [])
    return list.length > 0 ? list : undefined
  }
}

/** A text with its values in place; a value alone keeps its type. Undefined when one is absent. */
function fill(template: string): TextOf {
  if (!template.includes('{')) return () => template
  const alone = onlyValue.exec(template)?.[1]
  if (alone !== undefined) return (values) => values.get(alone)
  // `a {b} c` split by its values: every second piece is a name.
  const pieces = template.split(anyValue)
  return (values) => {
    let text = pieces[0] ?? ''
    for (let at = 1; at < pieces.length; at += 2) {
      const value = values.get(pieces[at] ?? '')
      if (value === undefined || value === null || value === '') return undefined
      text += String(value) + pieces[at + 1]
    }
    return text
  }
}
