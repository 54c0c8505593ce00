import { cachedEngine } from '../../engine/read-cache.ts'
import type { ResolvedField } from '../../model/mapping.ts'
import type { FieldColumns } from '../../sql/field-columns.ts'
import type { GivenColumns } from '../../sql/scripts/translate-script.ts'
import { no } from '../../sql/scripts/typed-sql.ts'
import { join, num, type Sql, sql } from '../../sql/sql.ts'
import type { PlanServices } from '../leaves/leaf-request.ts'
import { type Leaf, leafRows } from '../leaves/leaves.ts'
import type { PlanRead } from '../leaves/plan-read.ts'
import { noteFailedDocument } from './failed-document.ts'
import { ScriptColumns } from './script-reads.ts'
import { readScripted } from './scripted-documents.ts'

/** Runs the scripts of fields over the documents of a leaf, of those alone that meet a condition where there is one. */
export type Interpret = (
  fields: readonly ResolvedField[],
  condition?: Sql,
) => Promise<ReadonlyMap<string, FieldColumns>>

/** What scripts are evaluated with beside the rows. */
interface Evaluation {
  /** `_score`, of 32 bits. */
  readonly score: Sql | undefined
  readonly interpret: Interpret
}

type Stated = readonly (readonly [field: ResolvedField, columns: GivenColumns])[]

/**
 * The columns of those fields whose scripts SQL says exactly, and the fields that are left to the interpreter. No row is read for them, but one where a script fails, for its error
 * (`script_exception`), and those that SQL says not exactly. The scripts must be ones that compile.
 */
export async function statedColumns(
  services: PlanServices,
  leaf: Leaf,
  fields: readonly ResolvedField[],
  { score, interpret }: Evaluation,
  read: PlanRead,
): Promise<{ readonly columns: ReadonlyMap<string, FieldColumns>; readonly left: readonly ResolvedField[] }> {
  const stated = statedOf(services, leaf, fields, score)
  const faulty = stated.some(([, { fault, inexact }]) => fault !== no || inexact !== no)
  const found: Found = faulty ? await lookForFaults(services, leaf, stated, read) : { unsure: [] }
  if (found.faulty !== undefined) await failOver(services, leaf, stated, found.faulty, score, read)
  // What was no fault after all is said by the interpreter.
  if (found.faulty !== undefined) return { columns: new Map(), left: fields }
  const columns = new Map<string, FieldColumns>()
  for (const [at, [field, given]] of stated.entries()) {
    const unsure = (found.unsure[at] ?? 0) > 0
    const corrected = unsure ? (await interpret([field], given.inexact)).get(field.path) : undefined
    columns.set(field.path, corrected ? merged(given, corrected) : { one: given.one, many: given.many })
  }
  return { columns, left: fields.filter(({ path }) => !columns.has(path)) }
}

function statedOf(
  services: PlanServices,
  leaf: Leaf,
  fields: readonly ResolvedField[],
  score: Sql | undefined,
): Stated {
  // A script sees what the caller's roles leave of a source.
  if (leaf.indices.some(({ name }) => leaf.scope.limitsFields?.(name) === true)) return []
  const scripts = new ScriptColumns(services, leaf, score)
  return fields.flatMap((field) => {
    const columns = scripts.of(field)
    return columns ? [[field, columns] as const] : []
  })
}

interface Found {
  readonly faulty?: number
  readonly unsure: readonly number[]
}

/** The first row that a script fails over, and over how many rows each script is not said exactly. */
async function lookForFaults(services: PlanServices, leaf: Leaf, stated: Stated, read: PlanRead): Promise<Found> {
  const fault = anyOf(stated.map(([, columns]) => columns.fault))
  const inexact = stated.map(([, columns]) => columns.inexact)
  const { from, where } = leafRows(services, leaf)
  const cells = [sql`countIf(${fault})`, sql`minIf(_seq, ${fault})`, ...inexact.map((each) => sql`countIf(${each})`)]
  const statement = sql`SELECT ${join(cells, ', ')} FROM ${from} WHERE ${where} AND ${anyOf([fault, ...inexact])}`
  const [row = []] = await cachedEngine(services.engine).rows(statement, { ...read, weight: 'heavy' })
  const [faults = 0, first = 0, ...unsure] = row.map(Number)
  return faults > 0 ? { faulty: first, unsure } : { unsure }
}

function anyOf(conditions: readonly Sql[]): Sql {
  return sql`(${join(conditions, ' OR ')})`
}

/** Runs the scripts over the row they fail over, which throws what they throw. */
async function failOver(
  services: PlanServices,
  leaf: Leaf,
  stated: Stated,
  sequence: number,
  score: Sql | undefined,
  read: PlanRead,
): Promise<void> {
  const page = { condition: sql`_seq = ${num(sequence)}`, score: score ?? 0 }
  for (const row of await readScripted(services, leaf, page, read))
    for (const [field] of stated)
      try {
        row.reader.values(field, row.document)
      } catch (thrown) {
        noteFailedDocument(thrown, row)
        throw thrown
      }
}

/** What the interpreter gave where it was asked, and what SQL says elsewhere. */
function merged({ one, many, inexact }: GivenColumns, corrected: FieldColumns): FieldColumns {
  const several =
    many || corrected.many ? sql`if(${inexact}, ${corrected.many ?? emptyList}, ${many ?? emptyList})` : undefined
  return { one: sql`if(${inexact}, ${corrected.one}, ${one})`, many: several }
}

const emptyList = sql`[]`
