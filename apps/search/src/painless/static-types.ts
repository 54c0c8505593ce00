import { promoted } from './arithmetic.ts'
import type { Expression } from './ast.ts'
import type { Names } from './frame.ts'
import { methodOf } from './methods.ts'
import { ScriptFault } from './script-error.ts'
import { numberTypeOf, numberTypes } from './typed-number.ts'
import { numericType } from './types.ts'

/**
 * The type an expression has by its form, before the script runs: that of variables as declared, of literals, casts and what is made of them; `def`
 * where only running it tells.
 */
export function staticType(expression: Expression, names: Names): string {
  switch (expression.kind) {
    case 'literal':
      return literalType(expression.value)
    case 'list':
      return 'ArrayList'
    case 'map':
      return 'HashMap'
    case 'variable':
      return names.find(expression.name)?.type ?? 'def'
    case 'cast':
      return expression.type
    case 'instanceof':
      return 'boolean'
    case 'array':
      return `${expression.type}[]`
    case 'unary': {
      if (expression.operator === '!') return 'boolean'
      const type = numericType(staticType(expression.operand, names))
      return type === undefined ? 'def' : promoted(type, 'int')
    }
    case 'binary':
      return binaryType(expression, names)
    case 'function':
      return names.ownFunction(`${expression.name}/${expression.args.length}`)
        ? 'def'
        : (names.findFunction(expression.name)?.type ?? 'def')
    case 'call':
      return expression.safe || staticType(expression.target, names) !== 'String'
        ? 'def'
        : (textMethods.get(expression.method) ?? 'def')
    case 'assign':
      return expression.target.kind === 'variable' ? staticType(expression.target, names) : 'def'
    default:
      return 'def'
  }
}

/** What the methods of texts give. */
const textMethods: ReadonlyMap<string, string> = new Map(
  Object.entries({
    String:
      'substring trim strip stripLeading stripTrailing toLowerCase toUpperCase concat replace repeat toString encodeBase64 decodeBase64 sha1 sha256',
    int: 'length indexOf lastIndexOf compareTo compareToIgnoreCase codePointAt hashCode',
    boolean: 'isEmpty isBlank contains startsWith endsWith equals equalsIgnoreCase',
    char: 'charAt',
  }).flatMap(([type, methods]) => methods.split(' ').map((method) => [method, type] as const)),
)

function literalType(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return 'String'
  return typeof value === 'boolean' ? 'boolean' : (numberTypeOf(value) ?? 'def')
}

function binaryType({ operator, left, right }: Extract<Expression, { kind: 'binary' }>, names: Names): string {
  if (/^(?:==|!=|===|!==|<|<=|>|>=|&&|\|\|)$/u.test(operator)) return 'boolean'
  const [one, other] = [staticType(left, names), staticType(right, names)]
  if (operator === '+' && (one === 'String' || other === 'String')) return 'String'
  const [low, high] = [numericType(one), numericType(other)]
  if (low === undefined || high === undefined || operator === '?:') return 'def'
  return promoted(low, /^(?:<<|>>|>>>)$/u.test(operator) ? 'int' : high)
}

/** A type as messages name it. */
const classNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'String',
      'Object',
      'Number',
      'Boolean',
      'Byte',
      'Short',
      'Character',
      'Integer',
      'Long',
      'Float',
      'Double',
      'StringBuilder',
      'Math',
      'StrictMath',
      'System',
    ].map((name) => [name, `java.lang.${name}`]),
  ),
  ...Object.fromEntries(
    [
      'List',
      'ArrayList',
      'Collection',
      'Map',
      'HashMap',
      'LinkedHashMap',
      'TreeMap',
      'Set',
      'HashSet',
      'LinkedHashSet',
      'Iterator',
      'StringTokenizer',
      'Map.Entry',
      'Optional',
      'Comparator',
      'Objects',
      'Arrays',
      'Collections',
    ].map((name) => [name, `java.util.${name}`]),
  ),
  ...Object.fromEntries(['Stream', 'IntStream', 'Collectors'].map((name) => [name, `java.util.stream.${name}`])),
  ...Object.fromEntries(['Pattern', 'Matcher'].map((name) => [name, `java.util.regex.${name}`])),
  ...Object.fromEntries(
    ['ZoneId', 'Instant', 'ZonedDateTime', 'Duration', 'DayOfWeek', 'Month'].map((name) => [name, `java.time.${name}`]),
  ),
  ChronoUnit: 'java.time.temporal.ChronoUnit',
  DateTimeFormatter: 'java.time.format.DateTimeFormatter',
  GeoPoint: 'org.elasticsearch.common.geo.GeoPoint',
}

export function canonicalName(type: string): string {
  return Object.hasOwn(classNames, type) ? (classNames[type] ?? type) : type
}

const isText = (type: string) => type === 'String'
const isBoolean = (type: string) => type === 'boolean' || type === 'Boolean'
const isLetter = (type: string) => type === 'char' || type === 'Character'
const isHolder = (type: string) => /^(?:List|ArrayList|.*Map|.*Set)$/u.test(type) || type.endsWith('[]')

/** Whether a value of a type can never be given to a variable of another without a cast that is written. */
function cannotBe(from: string, to: string): boolean {
  if ([from, to].some((type) => type === 'def') || to === 'Object' || from === to) return false
  if (from === 'null')
    return numericType(to) !== undefined && /^[a-z]/u.test(to) ? true : to === 'boolean' || to === 'char'
  const [low, high] = [numericType(from), numericType(to)]
  if (low !== undefined && high !== undefined) return numberTypes.indexOf(low) > numberTypes.indexOf(high)
  if (low !== undefined) return isText(to) || isBoolean(to) || isLetter(to) || isHolder(to)
  if (isText(from)) return high !== undefined || isBoolean(to) || isHolder(to)
  if (isBoolean(from)) return high !== undefined || isText(to) || isLetter(to) || isHolder(to)
  if (isHolder(from)) return high !== undefined || isText(to) || isBoolean(to) || isLetter(to)
  return false
}

/** Refuses to give a variable what its type can never hold, as the compiler of Painless does. */
export function checkAssignable(expression: Expression, to: string, names: Names): void {
  const from = staticType(expression, names)
  if (!cannotBe(from, to) || isSmallConstant(expression, to)) return
  const reason = `Cannot cast from [${canonicalName(from)}] to [${canonicalName(to)}].`
  throw new ScriptFault(expression.at, reason, 'class_cast_exception')
}

/** A whole literal may be given to a `byte`, `short` or `char` that holds it. */
export function isSmallConstant(expression: Expression, to: string): boolean {
  if (expression.kind !== 'literal' || typeof expression.value !== 'number' || numberTypeOf(expression.value) !== 'int')
    return false
  const { value } = expression
  if (to === 'byte') return value >= -128 && value <= 127
  if (to === 'short') return value >= -32_768 && value <= 32_767
  return to === 'char' && value >= 0 && value <= 65_535
}

/** A value of each kind of type whose methods are all known before a script runs. */
const samples: readonly (readonly [types: RegExp, value: unknown])[] = [
  [/^String$/u, ''],
  [/^(?:boolean|Boolean)$/u, true],
  [/^(?:List|ArrayList|Collection)$/u, []],
  [/^(?:Map|HashMap|LinkedHashMap|TreeMap)$/u, {}],
]

/** Refuses to call what a type never has, as the compiler of Painless does. */
export function checkMethod({ target, method, args, at }: Extract<Expression, { kind: 'call' }>, names: Names): void {
  const type = staticType(target, names)
  const sample = samples.find(([types]) => types.test(type))
  if (!sample || methodOf(sample[1], method)) return
  throw new ScriptFault(at, `member method [${canonicalName(type)}, ${method}/${args.length}] not found`)
}

/** Refuses to read what a text or truth never has. */
export function checkField({ target, key, at }: Extract<Expression, { kind: 'member' }>, names: Names): void {
  const type = staticType(target, names)
  if (!(isText(type) || isBoolean(type)) || key.kind !== 'literal' || typeof key.value !== 'string') return
  throw new ScriptFault(at, `field [${canonicalName(type)}, ${key.value}] not found`)
}

/** Refuses operators between types that never have them. */
export function checkOperands(expression: Extract<Expression, { kind: 'binary' }>, names: Names): void {
  const { operator, left, right, at } = expression
  const [one, other] = [staticType(left, names), staticType(right, names)]
  if (operator === '+' && (isText(one) || isText(other))) return
  const isArithmetic = /^[-+*/%]$|^(?:<<|>>|>>>)$/u.test(operator)
  const wrong = (type: string) => isText(type) || isHolder(type) || (isArithmetic && isBoolean(type))
  const isBitwise = /^[&|^]$|^(?:<<|>>|>>>)$/u.test(operator)
  const fraction = (type: string) => isBitwise && /^(?:float|double)$/u.test(type)
  if (!(isArithmetic || isBitwise || /^[<>]=?$/u.test(operator))) return
  if (![one, other].some((type) => wrong(type) || fraction(type))) return
  const types = `[${canonicalName(one)}] and [${canonicalName(other)}]`
  throw new ScriptFault(at, `Cannot apply [${operator}] operation to types ${types}.`, 'class_cast_exception')
}
