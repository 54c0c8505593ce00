import { parseScript } from '../../painless/parse-script.ts'
import { returningLast } from '../../painless/script.ts'
import type { Sql } from '../sql.ts'
import type { ScriptReads } from './expressions.ts'
import { type GivenColumns, type GivenTo, givenColumns } from './given-columns.ts'
import { effectsOf } from './statements.ts'
import { Untranslatable, yes } from './typed-sql.ts'

export type { GivenColumns } from './given-columns.ts'

/** Functions within functions of one expression: what the engine reads of statements is bounded. */
const nestingMax = 200

/**
 * The columns of what a script gives to its field, for every row; undefined where SQL cannot say it exactly, so that the script has to run over each
 * document. The source must be one that compiles.
 */
export function translateScript(source: string, reads: ScriptReads, to: GivenTo): GivenColumns | undefined {
  try {
    const { functions, body } = returningLast(parseScript(source))
    if (functions.length > 0) return undefined
    const columns = givenColumns(effectsOf(body, reads), to)
    const pieces = [columns.one, columns.many, columns.fault, columns.inexact]
    if (columns.inexact === yes || pieces.some((piece) => piece && nestingOf(piece) > nestingMax)) return undefined
    return columns
  } catch (thrown) {
    if (thrown instanceof Untranslatable) return undefined
    throw thrown
  }
}

/** How deep parentheses and brackets stand in each other, beside texts. */
function nestingOf({ text }: Sql): number {
  let [depth, deepest] = [0, 0]
  for (const [piece] of text.matchAll(/'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[()[\]]/gsu)) {
    if (piece === '(' || piece === '[') deepest = Math.max(deepest, ++depth)
    else if (piece === ')' || piece === ']') depth -= 1
  }
  return deepest
}
