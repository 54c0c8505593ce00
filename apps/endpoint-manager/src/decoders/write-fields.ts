import type { TimeContext } from '@logstack/syslog'
import { type Fields, getField, setField } from '../ecs/fields.ts'
import type { Writes } from './decoder-file.ts'
import { eventTime } from './event-time.ts'
import type { Values } from './steps/step.ts'

const onlyValue = /^\{([\w.@-]+)\}$/
const anyValue = /\{([\w.@-]+)\}/g

/** Writes what a decoder's `time`, `keep`, `set` and `map` say, in this order. */
export function writeFields(writes: Writes, values: Values, document: Fields, context: TimeContext): void {
  const { time: timeOf, sets, maps } = compiled(writes)
  if (timeOf) {
    const text = timeOf(values)
    const time = text === undefined ? undefined : eventTime(String(text), context)
    if (time !== undefined) document['@timestamp'] = time
  }
  if (writes.keep) keep(writes.keep, values, document)
  for (const { field, textOf } of sets) write(document, field, textOf(values))
  for (const { field, from, table, otherwise } of maps) {
    const value = values.get(from)
    if (value === undefined) continue
    const text = String(value)
    const wanted = table.get(text) ?? table.get(text.toLowerCase()) ?? otherwise
    if (wanted) write(document, field, wanted(values))
  }
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

type TextOf = (values: Values) => unknown

/** What `writes` says, taken apart once: its texts are filled in for every event. */
interface CompiledWrites {
  readonly time: TextOf | undefined
  readonly sets: readonly { readonly field: string; readonly textOf: TextOf }[]
  readonly maps: readonly {
    readonly field: string
    readonly from: string
    readonly table: ReadonlyMap<string, TextOf>
    readonly otherwise: TextOf | undefined
  }[]
}

const compiledWrites = new WeakMap<Writes, CompiledWrites>()

function compiled(writes: Writes): CompiledWrites {
  const known = compiledWrites.get(writes)
  if (known) return known
  const made: CompiledWrites = {
    time: writes.time === undefined ? undefined : fill(writes.time),
    sets: Object.entries(writes.set).map(([field, wanted]) => ({ field, textOf: filled(wanted) })),
    maps: Object.entries(writes.map).map(([field, { from, values, otherwise }]) => ({
      field,
      from,
      table: new Map(Object.entries(values).map(([text, wanted]) => [text, filled(wanted)])),
      otherwise: otherwise === undefined ? undefined : filled(otherwise),
    })),
  }
  compiledWrites.set(writes, made)
  return made
}

function filled(wanted: string | number | boolean | readonly string[]): TextOf {
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
  return (values) => {
    let isComplete = true
    const text = template.replace(anyValue, (_, name: string) => {
      const value = values.get(name)
      if (value === undefined || value === '') isComplete = false
      return String(value ?? '')
    })
    return isComplete ? text : undefined
  }
}
