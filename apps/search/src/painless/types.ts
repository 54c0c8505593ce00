import { CharValue, codeOf } from './char-value.ts'
import { HostObject } from './host-object.ts'
import { ScriptSet } from './script-set.ts'
import { castNumber, type NumberType, numberTypeOf, numberTypes } from './typed-number.ts'

/** Types a variable may be declared with. `def` and the containers hold anything. */
const types = [
  'def',
  'boolean',
  'byte',
  'short',
  'char',
  'int',
  'long',
  'float',
  'double',
  'Object',
  'Boolean',
  'Byte',
  'Short',
  'Character',
  'Integer',
  'Long',
  'Float',
  'Double',
  'Number',
  'String',
  'List',
  'ArrayList',
  'Collection',
  'Iterable',
  'Map',
  'HashMap',
  'LinkedHashMap',
  'TreeMap',
  'Set',
  'HashSet',
  'LinkedHashSet',
  'Iterator',
  'Map.Entry',
  'Stream',
  'IntStream',
  'Optional',
  'Pattern',
  'Matcher',
  'ZonedDateTime',
  'JodaCompatibleZonedDateTime',
  'Instant',
  'ZoneId',
  'GeoPoint',
  'StringBuilder',
  'StringTokenizer',
  'void',
  'Supplier',
  'Function',
  'BiFunction',
  'Predicate',
  'BiPredicate',
  'Consumer',
  'BiConsumer',
  'UnaryOperator',
  'BinaryOperator',
  'Runnable',
  'Comparator',
]

/** Whether a word is a type. */
export function isType(name: string): boolean {
  return types.includes(name)
}

/** Whether a type is one a variable or parameter may have: a type, or an array of one. */
export function isDeclarable(name: string): boolean {
  return isType(name.replace(/(?:\[\])+$/u, ''))
}

/** The interfaces of functions. */
const functional =
  /^(?:Supplier|Function|Predicate|Consumer|UnaryOperator|BinaryOperator|Bi[A-Z]\w+|Runnable|Comparator)$/u

/** The numbers a type holds, by its name and that of its class. */
const numeric: Readonly<Record<string, NumberType>> = {
  ...Object.fromEntries(numberTypes.map((type) => [type, type])),
  ...{ Byte: 'byte', Short: 'short', Integer: 'int', Long: 'long', Float: 'float', Double: 'double' },
}

/** The type of numbers that a name stands for; undefined for other types. */
export function numericType(name: string): NumberType | undefined {
  return Object.hasOwn(numeric, name) ? numeric[name] : undefined
}

/** Converts a value to a type, as a cast that is written does; undefined when it cannot be. */
export function castTo(type: string, value: unknown): unknown {
  if (value === null && !/^[a-z]/.test(type)) return null
  if (type === 'char' || type === 'Character') return asLetter(value)
  if (type === 'String' && value instanceof CharValue) return value.letter
  const wanted = numericType(type)
  if (wanted === undefined) return isInstance(type, value) ? value : undefined
  const number = codeOf(value)
  return numberTypeOf(number) === undefined ? undefined : castNumber(wanted, number)
}

/** Converts a value to a type, as giving it to a variable does: only to wider numbers; undefined when it cannot be. */
export function assignTo(type: string, value: unknown): unknown {
  const wanted = numericType(type)
  const found = numberTypeOf(value)
  if (wanted === undefined || found === undefined) return castTo(type, value)
  return numberTypes.indexOf(found) <= numberTypes.indexOf(wanted) ? castNumber(wanted, value) : undefined
}

/** A letter, or the letter of a text of one or of a code; undefined when it is none. */
function asLetter(value: unknown): CharValue | undefined {
  if (value instanceof CharValue) return value
  if (typeof value === 'string') return value.length === 1 ? new CharValue(value) : undefined
  return numberTypeOf(value) === undefined ? undefined : new CharValue(String.fromCharCode(Number(value)))
}

const classes: Readonly<Record<string, string>> = {
  ZonedDateTime: 'java.time.ZonedDateTime',
  JodaCompatibleZonedDateTime: 'java.time.ZonedDateTime',
  Instant: 'java.time.ZonedDateTime',
  ZoneId: 'java.time.ZoneId',
  GeoPoint: 'org.elasticsearch.common.geo.GeoPoint',
  StringBuilder: 'java.lang.StringBuilder',
  StringTokenizer: 'java.util.StringTokenizer',
  Stream: 'java.util.stream.Stream',
  IntStream: 'java.util.stream.Stream',
  Optional: 'java.util.Optional',
  Iterator: 'java.util.Iterator',
  'Map.Entry': 'java.util.Map.Entry',
  Pattern: 'java.util.regex.Pattern',
  Matcher: 'java.util.regex.Matcher',
}

/** Java's `instanceof` over the values a script has. */
export function isInstance(type: string, value: unknown): boolean {
  if (type === 'def' || type === 'Object') return type === 'def' || value !== null
  if (type.endsWith('[]')) return Array.isArray(value)
  if (functional.test(type)) return typeof value === 'function'
  const className = classes[type]
  if (className !== undefined) return value instanceof HostObject && value.className === className
  if (type === 'char' || type === 'Character') return value instanceof CharValue
  if (type === 'String') return typeof value === 'string'
  if (type === 'boolean' || type === 'Boolean') return typeof value === 'boolean'
  if (type === 'Collection' || type === 'Iterable') return Array.isArray(value)
  if (type === 'List' || type === 'ArrayList') return Array.isArray(value) && !(value instanceof ScriptSet)
  if (type.endsWith('Set')) return value instanceof ScriptSet
  if (type.endsWith('Map'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof HostObject)
  const found = numberTypeOf(value)
  return found !== undefined && (type === 'Number' || numericType(type) === found)
}
