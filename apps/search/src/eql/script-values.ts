import type { Call, Expression, Field, Literal } from '@logstack/eql'
import { type EqlFields, isWholeType, type KnownField } from './fields.ts'
import { takenAt } from './functions.ts'
import type { ScriptValue } from './scripted-functions.ts'
import { scriptedFunctions } from './scripted-functions.ts'
import type { TypeCheck } from './type-check.ts'

/** Thrown, without a stack, where a value is null whatever the document says. */
export const alwaysNull = Object.freeze({ alwaysNull: true })

/** Writes the values of conditions as Painless. Where one is null the script ends at once: it has found nothing. */
export class ScriptWriter {
  /** The paths that are read; all of them must have a value. */
  readonly fields = new Set<string>()
  readonly params: Record<string, string> = {}
  readonly #lines: string[] = []
  readonly #known: EqlFields
  readonly #check: TypeCheck
  #names = 0

  constructor(known: EqlFields, check: TypeCheck) {
    this.#known = known
    this.#check = check
  }

  /** The statements so far, and the condition that answers. */
  source(condition: string): string {
    return [...this.#lines, `return ${condition};`].join('\n')
  }

  /** Declares a variable and answers it. */
  variable(type: ScriptValue['type'], code: string): ScriptValue {
    const name = `v${this.#names++}`
    this.#lines.push(`${type} ${name} = ${code};`)
    return { code: name, type }
  }

  /** Writes a statement. */
  line(statement: string): void {
    this.#lines.push(statement)
  }

  /** Ends the script without a match where the condition holds. */
  nullWhere(condition: string): void {
    this.#lines.push(`if (${condition}) { return false; }`)
  }

  /** A text of the query, kept out of the script's own text. */
  text(value: string): string {
    const name = `p${Object.keys(this.params).length}`
    this.params[name] = value
    return `params.${name}`
  }

  /** An expression as a value. Throws `alwaysNull`; what is no value is a problem of the query. */
  value(expression: Expression): ScriptValue {
    switch (expression.kind) {
      case 'literal':
        return this.#literal(expression)
      case 'field': {
        const field = this.#known.exact(expression)
        if (field.kind !== 'known') throw alwaysNull
        return this.#field(field, expression)
      }
      case 'call':
        return this.#call(expression)
      default:
        this.#check.refuse(expression, 'Conditions cannot be used as values')
        throw alwaysNull
    }
  }

  #literal(literal: Literal): ScriptValue {
    const { value, decimal } = literal
    if (value === null) throw alwaysNull
    if (typeof value === 'string') return { code: this.text(value), type: 'String' }
    if (typeof value === 'boolean') return { code: String(value), type: 'boolean' }
    if (decimal) return { code: `(${decimalText(Number(value))})`, type: 'double' }
    if (value > longMax || value < -longMax) {
      this.#check.refuse(literal, `Number [${value}] is too large`)
      throw alwaysNull
    }
    return { code: `(${value}L)`, type: 'long' }
  }

  #field({ path, type, valueClass }: KnownField, asked: Field): ScriptValue {
    // Scripts see such numbers as signed ones.
    if (type === 'unsigned_long')
      this.#check.refuse(asked, `Cannot compute with field [${asked.name}] of type [${type}]`)
    const name = `'${path.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    // Under a negation scripts run over documents without the field, too, and in indices that do not have it.
    if (!this.fields.has(path)) this.nullWhere(`!doc.containsKey(${name}) || doc[${name}].size() == 0`)
    this.fields.add(path)
    const read = `doc[${name}].value`
    if (valueClass === 'date') return this.variable('long', `${read}.toInstant().toEpochMilli()`)
    if (valueClass === 'number') return this.variable(isWholeType(type) ? 'long' : 'def', read)
    return this.variable(valueClass === 'boolean' ? 'boolean' : 'String', read)
  }

  #call(call: Call): ScriptValue {
    const found = this.#check.functionOf(call)
    if (!found || !Object.hasOwn(scriptedFunctions, found.name)) {
      if (found) this.#check.refuse(call, `Function [${found.name}] cannot be used over computed values`)
      throw alwaysNull
    }
    for (const [at, argument] of call.args.entries()) {
      this.#check.expect(argument, takenAt(found, at), call, at)
      // How a date is written is up to its mapping.
      if (takenAt(found, at) === 'any' && this.#check.classOf(argument) === 'date')
        this.#check.refuse(argument, `Dates cannot be made texts: [${this.#check.textOf(argument)}]`)
    }
    // `number(text, null)` takes the base from the text.
    const given = call.args.filter(
      (argument, at) =>
        !(found.optional && at >= found.takes.length - found.optional && isNull(argument) && found.name === 'number'),
    )
    const args = given.map((argument) => this.value(argument))
    return (scriptedFunctions[found.name] as (typeof scriptedFunctions)[string])(this, args, call.ignoresCase)
  }
}

const isNull = (expression: Expression): boolean => expression.kind === 'literal' && expression.value === null

const longMax = 2n ** 63n - 1n

function decimalText(value: number): string {
  const text = String(value).replace('+', '')
  return /[.e]/.test(text) ? text : `${text}.0`
}
