/** What SQL and the interpreter make of the same documents. */
import { isAppError } from '@logstack/errors'
import type { Mapping, ResolvedField } from '../../model/mapping.ts'
import { contextOf } from '../../painless/field-script.ts'
import { systemScope } from '../../security/role-scope.ts'
import { ident, sql } from '../../sql/sql.ts'
import { readDouble } from '../../sql/values.ts'
import type { TestServices } from '../../testing/search-services.ts'
import { type Leaf, leafRows } from '../leaves/leaves.ts'
import { planLeaves } from '../leaves/plan-leaves.ts'
import { checkScripts } from './computed-columns.ts'
import { ScriptColumns } from './script-reads.ts'
import { readScripted, type ScriptedRow } from './scripted-documents.ts'
import { type RandomScript, scriptParams } from './stated-scripts.fixture.ts'

const wireTypes = { long: 'long', double: 'double', keyword: 'string', boolean: 'boolean', date: 'date' } as const

/** What became of scripts; `failures` are those of which SQL says something else. */
export interface Tally {
  scripts: number
  compiled: number
  translated: number
  compared: number
  unsure: number
  faults: number
  readonly failures: string[]
}

/** The documents of an index, and what is made of them. */
export interface StatedAnswers {
  /** Tries a script over all documents; tells whether SQL says it. */
  compare(script: RandomScript, tally: Tally): Promise<boolean>
}

/** Writes documents to an index of their own. */
export async function openStatedAnswers(
  services: TestServices,
  name: string,
  mapping: Mapping,
  documents: readonly unknown[],
): Promise<StatedAnswers> {
  await services.create(name, mapping)
  await services.write(
    name,
    documents.map((document, at) => [String(at), document]),
  )
  const index = [...services.catalogue.indices()].find((each) => each.name === name)
  if (!index) throw new Error('no index')
  const request = { indices: [{ index, aliasFilters: [] }], scope: systemScope, query: undefined, nowMs: 0 }
  const [leaf] = planLeaves(services, request)
  if (!leaf) throw new Error('no leaf')
  const rows = [...(await readScripted(services, leaf, {}, {}))]
  return { compare: (script, tally) => compare(services, leaf, rows, script, tally) }
}

function fieldOf({ type, use, source }: RandomScript): ResolvedField {
  const script = { source, params: scriptParams }
  const gives = use === 'bears' ? 'emitted' : use
  const isScore = use === 'score' || use === 'factor'
  return {
    path: 'computed',
    wireType: isScore ? 'double' : type,
    valueType: isScore ? 'double' : wireTypes[type],
    parameters: {},
    sourcePath: 'computed',
    computed: { script, gives, ...(use === 'bears' ? { bearsFaults: true } : {}) },
  }
}

async function compare(
  services: TestServices,
  leaf: Leaf,
  rows: readonly ScriptedRow[],
  script: RandomScript,
  tally: Tally,
): Promise<boolean> {
  const field = fieldOf(script)
  tally.scripts += 1
  try {
    checkScripts(leaf, field.computed ? [{ script: field.computed.script, context: contextOf(field.computed) }] : [])
  } catch (thrown) {
    if (isAppError(thrown)) return false
    throw thrown
  }
  tally.compiled += 1
  const found = await stated(services, leaf, field)
  if (!found) return false
  tally.translated += 1
  for (const row of rows) {
    const given = found.get(Number(row.sequence))
    if (given === undefined) {
      tally.unsure += 1
      continue
    }
    const wanted = interpreted(field, row)
    tally.compared += 1
    if (wanted === 'fault') tally.faults += 1
    if (JSON.stringify(given) === JSON.stringify(wanted)) continue
    const answers = { sql: given, interpreter: wanted }
    tally.failures.push([script, row.document.source, answers].map((each) => JSON.stringify(each)).join('\n'))
    break
  }
  return true
}

/** What the interpreter makes of a document, as columns would hold it; `fault` where it fails. */
function interpreted(field: ResolvedField, row: ScriptedRow): unknown {
  try {
    return row.reader.values(field, row.document).map((value) => held(field, String(value)))
  } catch (thrown) {
    if (!isAppError(thrown)) throw thrown
    return 'fault'
  }
}

function held({ valueType }: ResolvedField, text: string): unknown {
  if (valueType === 'double') return readDouble(text) === 0 ? 0 : String(readDouble(text))
  // As texts are kept.
  return valueType === 'string' ? Buffer.from(text).toString('utf8') : text
}

/** What SQL says of each document, undefined where it leaves one to the interpreter; undefined where it leaves all. */
async function stated(
  services: TestServices,
  leaf: Leaf,
  field: ResolvedField,
): Promise<ReadonlyMap<number, unknown> | undefined> {
  const columns = new ScriptColumns(services, leaf, undefined).of(field)
  if (!columns) return undefined
  const { one, many, fault, inexact } = columns
  const { from, where } = leafRows(services, leaf)
  const several = many ? sql`arrayMap(x -> toString(x), ${many})` : sql`[]`
  const statement = sql`SELECT ${ident('_seq')}, toUInt8(${fault}), toUInt8(${inexact}), isNull(${one}), toString(${one}), ${several} FROM ${from} WHERE ${where}`
  const found = new Map<number, unknown>()
  for (const [sequence, fails, unsure, none, single, list] of await services.engine.rows(statement)) {
    const texts = [...(none ? [] : [single]), ...(Array.isArray(list) ? list : [])].map(String)
    const values = texts.map((each) => held(field, each))
    found.set(Number(sequence), unsure ? undefined : fails ? 'fault' : values)
  }
  return found
}
