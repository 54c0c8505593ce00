import type { Held } from './expressions.ts'
import { castTyped } from './numbers.ts'
import { decimal, isNumber, no, nullValue, type Typed, typedValue, Untranslatable, whole } from './typed-sql.ts'

const ranks: readonly string[] = ['int', 'long', 'double']

/** What a variable of a type holds when it is given a value: numbers only become wider, and what is null stays so where the type allows it. */
export function assigned(type: string, held: Held): Held {
  if (type === 'def') return held
  if (held.kind !== 'value') throw new Untranslatable('no single value')
  if (type === 'String') return ofText(held)
  if (type === 'boolean') return ofBoolean(held)
  if (!ranks.includes(type)) throw new Untranslatable('a type that is not known')
  return widerNumber(type, held)
}

function ofText(value: Typed): Typed {
  if (value.type === 'String' || value.type === 'null') return value
  throw new Untranslatable('no text')
}

function ofBoolean(value: Typed): Typed {
  if (value.type === 'boolean' && value.isNull === no) return value
  throw new Untranslatable('no boolean')
}

function widerNumber(type: string, value: Typed): Typed {
  // A narrower variable refuses a wider number, a null ends the script: both only running it tells.
  if (!isNumber(value) || value.isNull !== no || (value.loose && type !== 'double'))
    throw new Untranslatable('no number')
  if (ranks.indexOf(value.type) > ranks.indexOf(type)) throw new Untranslatable('a wider number')
  return value.type === type && !value.wide && !value.loose ? value : castTyped(type, value)
}

/** What a variable of a type holds before it is given a value. */
export function firstOfType(type: string): Typed {
  if (type === 'boolean') return typedValue('boolean', no)
  if (type === 'int' || type === 'long') return typedValue(type, whole(0))
  if (type === 'double') return typedValue('double', decimal(0))
  if (type === 'def' || type === 'String') return nullValue
  throw new Untranslatable('a type that is not known')
}

/** A changed value cast back to the type of its variable: `x += 1.5` cuts. */
export function castBack(type: string, made: Typed): Typed {
  if (type === 'def' || (type === 'String' && made.type === 'String')) return made
  if (!ranks.includes(type)) throw new Untranslatable('a type that is not known')
  return type === made.type && !made.wide && !made.loose ? made : castTyped(type, made)
}
