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
  'ZonedDateTime',
  'JodaCompatibleZonedDateTime',
  'Instant',
  'ZoneId',
  'StringBuilder',
]

/** Whether a word is a type. */
export function isType(name: string): boolean {
  return types.includes(name)
}

/** Whether a type's values are floating point numbers, whose division keeps the fraction. */
export function isDecimalType(name: string): boolean {
  return ['float', 'double', 'Float', 'Double'].includes(name)
}

const integers: Readonly<Record<string, number>> = { byte: 8, Byte: 8, short: 16, Short: 16, int: 32, Integer: 32 }

/** Converts a value to a type, as a cast does; undefined when it cannot be. */
export function castTo(type: string, value: unknown): unknown {
  if (value === null && !/^[a-z]/.test(type)) return null
  const bits = integers[type]
  if (typeof value === 'number' || typeof value === 'bigint') {
    if (bits !== undefined) return Number(BigInt.asIntN(bits, BigInt(Math.trunc(Number(value)))))
    if (type === 'long' || type === 'Long') return typeof value === 'bigint' ? value : Math.trunc(value)
    if (isDecimalType(type)) return Number(value)
    if (type === 'String' || type === 'boolean' || type === 'Boolean') return undefined
    return value
  }
  if (bits !== undefined || ['long', 'Long', 'Number'].includes(type) || isDecimalType(type)) return undefined
  return isInstance(type, value) ? value : undefined
}

const classes: Readonly<Record<string, string>> = {
  ZonedDateTime: 'java.time.ZonedDateTime',
  JodaCompatibleZonedDateTime: 'java.time.ZonedDateTime',
  Instant: 'java.time.ZonedDateTime',
  ZoneId: 'java.time.ZoneId',
  StringBuilder: 'java.lang.StringBuilder',
}

/** Java's `instanceof` over the values a script has. */
export function isInstance(type: string, value: unknown): boolean {
  if (type === 'def' || type === 'Object') return type === 'def' || value !== null
  const className = classes[type]
  if (className !== undefined) return value instanceof HostObject && value.className === className
  if (type === 'String' || type === 'char' || type === 'Character') return typeof value === 'string'
  if (type === 'boolean' || type === 'Boolean') return typeof value === 'boolean'
  if (['List', 'ArrayList', 'Collection', 'Iterable', 'Set', 'HashSet'].includes(type)) return Array.isArray(value)
  if (type.endsWith('Map')) return typeof value === 'object' && value !== null && !Array.isArray(value)
  if (isDecimalType(type)) return typeof value === 'number' && !Number.isInteger(value)
  if (type === 'Number') return typeof value === 'number' || typeof value === 'bigint'
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
}
