/** A value in Painless: an expression without side effects, of a static type. */
export interface ScriptValue {
  readonly code: string
  readonly type: 'String' | 'long' | 'double' | 'boolean' | 'def'
}

/** Where the statements go that a function needs before its value. */
interface Statements {
  variable(type: ScriptValue['type'], code: string): ScriptValue
  line(statement: string): void
  /** Ends the script without a match where the condition holds. */
  nullWhere(condition: string): void
}

/** How a function is written in Painless over its arguments, none of which is null there. */
type ScriptedFunction = (writer: Statements, args: readonly ScriptValue[], ignoresCase: boolean) => ScriptValue

const codeAt = (args: readonly ScriptValue[], at: number): string => args[at]?.code ?? ''

/** Both sides in small letters where case does not count. */
const cased = (code: string, ignoresCase: boolean): string => (ignoresCase ? `${code}.toLowerCase()` : code)

function calculated(operator: string): ScriptedFunction {
  return (writer, args) => {
    // No number is divided by nought: it is null, as what is divided by nothing.
    if (operator === '/' || operator === '%') writer.nullWhere(`${codeAt(args, 1)} == 0`)
    const isWhole = args.every(({ type }) => type === 'long')
    return writer.variable(isWhole ? 'long' : 'def', `${codeAt(args, 0)} ${operator} ${codeAt(args, 1)}`)
  }
}

function asked(method: string): ScriptedFunction {
  return (_writer, args, ignoresCase) => ({
    code: `${cased(codeAt(args, 0), ignoresCase)}.${method}(${cased(codeAt(args, 1), ignoresCase)})`,
    type: 'boolean',
  })
}

/** A text that holds nothing holds not even nothing: Elasticsearch's documentation says so. */
const stringContains: ScriptedFunction = (writer, args, ignoresCase) => ({
  code: `(${codeAt(args, 1)}.length() > 0 && ${asked('contains')(writer, args, ignoresCase).code})`,
  type: 'boolean',
})

const between: ScriptedFunction = (writer, args, ignoresCase) => {
  const source = writer.variable('String', codeAt(args, 0)).code
  const searched = writer.variable('String', cased(source, ignoresCase)).code
  const left = writer.variable('String', cased(codeAt(args, 1), ignoresCase)).code
  const right = writer.variable('String', cased(codeAt(args, 2), ignoresCase)).code
  const made = writer.variable('String', "''").code
  const from = writer.variable('long', `${searched}.indexOf(${left})`).code
  const greedy = args[3]?.code ?? 'false'
  const start = `${from} + ${left}.length()`
  writer.line(
    `if (${from} >= 0) { long end = ${greedy} ? ${searched}.lastIndexOf(${right}) : ${searched}.indexOf(${right}, (int) (${start})); ` +
      `if (end >= ${start} && end <= ${source}.length()) { ${made} = ${source}.substring((int) (${start}), (int) end); } }`,
  )
  return { code: made, type: 'String' }
}

const indexOf: ScriptedFunction = (writer, args, ignoresCase) => {
  const searched = writer.variable('String', cased(codeAt(args, 0), ignoresCase)).code
  const start = args[2] ? writer.variable('long', `(long) ${codeAt(args, 2)}`).code : '0'
  if (args[2]) writer.nullWhere(`${start} > ${searched}.length()`)
  const from = args[2] ? `, (int) (${start} < 0 ? 0 : ${start})` : ''
  const place = writer.variable('long', `${searched}.indexOf(${cased(codeAt(args, 1), ignoresCase)}${from})`)
  writer.nullWhere(`${place.code} < 0`)
  return place
}

/** Places before the first count from the end; those beyond it are the end. */
const substring: ScriptedFunction = (writer, args) => {
  const source = writer.variable('String', codeAt(args, 0)).code
  const size = `${source}.length()`
  const place = (code: string): string => {
    const given = writer.variable('long', `(long) ${code}`).code
    writer.line(`if (${given} < 0) { ${given} = ${given} + ${size}; }`)
    writer.line(`if (${given} < 0) { ${given} = 0; }`)
    writer.line(`if (${given} > ${size}) { ${given} = ${size}; }`)
    return given
  }
  const from = place(codeAt(args, 1))
  const to = args[2] ? place(args[2].code) : size
  return writer.variable('String', `${to} > ${from} ? ${source}.substring((int) ${from}, (int) ${to}) : ''`)
}

/** What is no number is null. */
const number: ScriptedFunction = (writer, args) => {
  const text = writer.variable('String', `${codeAt(args, 0)}.trim()`).code
  const base = args[1] ? `(int) ${args[1].code}` : '10'
  const made = writer.variable('def', '0L').code
  const isWhole = args[1] ? 'true' : `${text}.indexOf('.') < 0 && ${text}.toLowerCase().indexOf('e') < 0`
  const parsed = `if (${text}.startsWith('0x')) { ${made} = Long.parseLong(${text}.substring(2), 16); } else if (${isWhole}) { ${made} = Long.parseLong(${text}, ${base}); } else { ${made} = Double.parseDouble(${text}); }`
  writer.line(`try { ${parsed} } catch (NumberFormatException e) { return false; }`)
  return { code: made, type: 'def' }
}

const asText = ({ code, type }: ScriptValue): string => (type === 'String' ? code : `('' + ${code})`)

/** Functions that scripts compute; `cidrMatch` is a query of its own. */
export const scriptedFunctions: Readonly<Record<string, ScriptedFunction>> = {
  add: calculated('+'),
  subtract: calculated('-'),
  multiply: calculated('*'),
  divide: calculated('/'),
  modulo: calculated('%'),
  between,
  concat: (writer, args) => writer.variable('String', args.map(asText).join(' + ')),
  endsWith: asked('endsWith'),
  indexOf,
  length: (_writer, args) => ({ code: `${codeAt(args, 0)}.length()`, type: 'long' }),
  number,
  startsWith: asked('startsWith'),
  string: (_writer, [value]) => ({ code: value ? asText(value) : "''", type: 'String' }),
  stringContains,
  substring,
}
