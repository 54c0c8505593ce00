import type { TimeContext } from '@logstack/syslog'
import { type Fields, getField, setField } from '../ecs/fields.ts'
import type { Writes } from './decoder-file.ts'
import { eventTime } from './event-time.ts'
import type { Values } from './steps/step.ts'

const onlyValue = /^\{([\w.@-]+)\}$/
const anyValue = /\{([\w.@-]+)\}/g

/** Writes what a decoder's `time`, `keep`, `set` and `map` say, in this order. */
export function writeFields(writes: Writes, values: Values, document: Fields, context: TimeContext): void {
  if (writes.time !== undefined) {
    const text = fill(writes.time, values)
    const time = text === undefined ? undefined : eventTime(String(text), context)
    if (time !== undefined) document['@timestamp'] = time
  }
  if (writes.keep) keep(writes.keep, values, document)
  for (const [field, wanted] of Object.entries(writes.set)) write(document, field, filled(wanted, values))
  for (const [field, { from, values: table, otherwise }] of Object.entries(writes.map)) {
    const value = values.get(from)
    if (value === undefined) continue
    const text = String(value)
    const wanted = own(table, text) ?? own(table, text.toLowerCase()) ?? otherwise
    if (wanted !== undefined) write(document, field, filled(wanted, values))
  }
}

function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
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

function write(document: Fields, field: string, value: unknown): void {
  if (value === undefined) return
  // An address that is a name belongs into `.address`; ECS has one beside every `.ip` of a peer.
  if (!setField(document, field, value) && field.endsWith('.ip') && value !== '?' && value !== '-') {
    const address = field.replace(/\.ip$/, '.address')
    if (getField(document, address) === undefined) setField(document, address, value)
  }
}

function filled(wanted: string | number | boolean | readonly string[], values: Values): unknown {
  if (typeof wanted === 'object') {
    const list = wanted.flatMap((item) => fill(item, values) ?? [])
    return list.length > 0 ? list : undefined
  }
  return typeof wanted === 'string' ? fill(wanted, values) : wanted
}

/** A text with its values in place; a value alone keeps its type. Undefined when one is absent. */
function fill(template: string, values: Values): unknown {
  if (!template.includes('{')) return template
  const alone = onlyValue.exec(template)?.[1]
  if (alone !== undefined) return values.get(alone)
  let isComplete = true
  const text = template.replace(anyValue, (_, name: string) => {
    const value = values.get(name)
    if (value === undefined || value === '') isComplete = false
    return String(value ?? '')
  })
  return isComplete ? text : undefined
}
