import { bare, numberTypeOf } from '../../painless/typed-number.ts'
import { join, sql } from '../sql.ts'
import { no, type Typed, textLiteral, typedValue, Untranslatable, unsureLetters, yes } from './typed-sql.ts'

/** A value of `params`: the same for all documents. */
export interface PlainValue {
  readonly kind: 'plain'
  readonly value: unknown
}

/** What a script asks of lists and maps among its parameters. */
export function constantList({ value }: PlainValue): {
  at(name: string): PlainValue
  call(name: string, args: readonly Typed[]): Typed | PlainValue
} {
  const at = (name: string): PlainValue => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Untranslatable('no map')
    // The source is a document's own, whatever a request puts there.
    if (name === '_source') throw new Untranslatable('the source')
    return { kind: 'plain', value: Object.hasOwn(value, name) ? Reflect.get(value, name) : null }
  }
  return {
    at,
    call(name, args) {
      const [first] = args
      if (first === undefined || args.length !== 1) throw new Untranslatable('other arguments')
      const known = first.constant?.value
      if (name === 'get' && typeof known === 'string') return at(known)
      if (name === 'containsKey' && typeof known === 'string')
        return truth(typeof value === 'object' && value !== null && !Array.isArray(value) && hasKey(value, known))
      if (name === 'contains' && Array.isArray(value)) return holds(value, first)
      throw new Untranslatable('no such method')
    },
  }
}

function hasKey(map: object, key: string): boolean {
  if (key === '_source') throw new Untranslatable('the source')
  return Object.hasOwn(map, key)
}

const truth = (holds: boolean): Typed => typedValue('boolean', holds ? yes : no)

/** Whether a list has a text; of other kinds Java tells types apart that look alike. */
function holds(list: readonly unknown[], wanted: Typed): Typed {
  if (wanted.type !== 'String' || wanted.isNull !== no) throw new Untranslatable('no text')
  const texts = list.filter((each) => typeof each === 'string').map(textLiteral)
  if (list.some((each) => typeof each === 'object' && each !== null && numberTypeOf(bare(each)) === undefined))
    throw new Untranslatable('a list of lists')
  if (texts.length === 0) return typedValue('boolean', no, [wanted])
  const found = sql`(${wanted.sql} IN (${join(
    texts.map((each) => each.sql),
    ', ',
  )}))`
  return typedValue('boolean', found, [wanted], { inexact: unsureLetters(wanted, ...texts) })
}
