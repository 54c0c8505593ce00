import { CharValue } from './char-value.ts'
import { HostObject } from './host-object.ts'

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
  'Stream',
  'IntStream',
  'Optional',
  'Pattern',
  'Matcher',
  'ZonedDateTime',
  'JodaCompatibleZonedDateTime',
  'Instant',
  'ZoneId',
  'StringBuilder',
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

/** Whether a type's values are floating point numbers, whose division keeps the fraction. */
export function isDecimalType(name: string): boolean {
  return ['float', 'double', 'Float', 'Double'].includes(name)
}

/** Whether a type is one a variable or parameter may have: a type, or an array of one. */
export function isDeclarable(name: string): boolean {
  return isType(name.replace(/(?:\[\])+$/u, ''))
}

/** The interfaces of functions. */
const functional =
  /^(?:Supplier|Function|Predicate|Consumer|UnaryOperator|BinaryOperator|Bi[A-Z]\w+|Runnable|Comparator)$/u

const integers: Readonly<Record<string, number>> = { byte: 8, Byte: 8, short: 16, Short: 16, int: 32, Integer: 32 }

/** Converts a value to a type, as a cast does; undefined when it cannot be. */
export function castTo(type: string, value: unknown): unknown {
  if (value === null && !/^[a-z]/.test(type)) return null
  if (type === 'char' || type === 'Character') return asLetter(value)
  const bits = integers[type]
  if (value instanceof CharValue && (bits !== undefined || ['long', 'String'].includes(type)))
    return type === 'String' ? value.letter : castTo(type, value.letter.charCodeAt(0))
  if (typeof value === 'number' || typeof value === 'bigint') return numberTo(type, value)
  if (bits !== undefined || ['long', 'Long', 'Number'].includes(type) || isDecimalType(type)) return undefined
  return isInstance(type, value) ? value : undefined
}

function numberTo(type: string, value: number | bigint): unknown {
  const bits = integers[type]
  if (bits !== undefined) return Number(BigInt.asIntN(bits, BigInt(Math.trunc(Number(value)))))
  if (type === 'long' || type === 'Long') return typeof value === 'bigint' ? value : Math.trunc(value)
  if (isDecimalType(type)) return Number(value)
  return type === 'String' || type === 'boolean' || type === 'Boolean' ? undefined : value
}

/** A letter, or the letter of a text of one or of a code; undefined when it is none. */
function asLetter(value: unknown): CharValue | undefined {
  if (value instanceof CharValue) return value
  if (typeof value === 'string') return value.length === 1 ? new CharValue(value) : undefined
  return typeof value === 'number' ? new CharValue(String.fromCharCode(value)) : undefined
}

const classes: Readonly<Record<string, string>> = {
  ZonedDateTime: 'java.time.ZonedDateTime',
  JodaCompatibleZonedDateTime: 'java.time.ZonedDateTime',
  Instant: 'java.time.ZonedDateTime',
  ZoneId: 'java.time.ZoneId',
  StringBuilder: 'java.lang.StringBuilder',
  Stream: 'java.util.stream.Stream',
  IntStream: 'java.util.stream.Stream',
  Optional: 'java.util.Optional',
  Iterator: 'java.util.Iterator',
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
  if (['List', 'ArrayList', 'Collection', 'Iterable', 'Set', 'HashSet', 'LinkedHashSet'].includes(type))
    return Array.isArray(value)
  if (type.endsWith('Map')) return typeof value === 'object' && value !== null && !Array.isArray(value)
  if (isDecimalType(type)) return typeof value === 'number' && !Number.isInteger(value)
  if (type === 'Number') return typeof value === 'number' || typeof value === 'bigint'
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
}
