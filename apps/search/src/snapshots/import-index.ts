import { AppError, searchErrors } from '@logstack/errors'
import { neededIndexes } from '../indices/tables.ts'
import type { IndexMeta } from '../model/index-meta.ts'
import { ident, num, type Sql, sql } from '../sql/sql.ts'
import type { SnapshotServices } from './create-snapshot.ts'
import type { FileColumn, Manifest } from './format.ts'
import type { RepositoryFiles } from './repository-files.ts'
import { fileColumns, tableColumns } from './row-files.ts'

/** The table's columns that take a file's values, in the file's order; those that are missing are made. */
async function columnsFor(
  { catalogue }: Pick<SnapshotServices, 'catalogue'>,
  index: IndexMeta,
  layout: readonly FileColumn[],
): Promise<string[]> {
  const fields = catalogue.fields(index)
  const needed = layout.map(({ path, type, many, indexed }) => {
    const field = many ? undefined : fields.get(path)
    const { pairs } = field?.valueType === type ? neededIndexes(field) : {}
    return { path, type, many, indexed, ...(pairs ? { pairs } : {}) }
  })
  const table = await catalogue.ensureColumns(catalogue.table(index.table), needed)
  const names = new Map(
    tableColumns(table).map(({ column: { path, type, many }, name }) => [`${type} ${many} ${path}`, name]),
  )
  return layout.map(({ path, type, many }) => {
    const name = names.get(`${type} ${many} ${path}`)
    if (name === undefined) throw new Error(`BUG: there is no column for [${path}]`)
    return name
  })
}

/** What each column of the table gets: the file's values, and the numbers of the restored index. */
function valuesOf(index: IndexMeta, firstSeq: number, names: readonly string[]): (readonly [string, Sql])[] {
  const kept = ['_time', '_seq_no', '_version', '_id', '_routing', '_ignored', '_source']
  return [
    ['_seq', sql`${num(firstSeq)} + _seq_no`],
    ['_index', num(index.id)],
    ['_slot', num(index.slot)],
    ...kept.map((name): [string, Sql] => [name, ident(name)]),
    ...names.map((name, at): [string, Sql] => [name, ident(`v${at}`)]),
  ]
}

/**
 * Puts the rows of a manifest into an index that nobody sees yet: ids, versions, `_seq_no` and sources as they were. Each file is proved by its
 * checksum first. Throws `repository_exception` for a damaged file, the engine's errors, `snapshot_restore_exception` when rows are missing.
 */
export async function importIndex(
  services: SnapshotServices,
  files: RepositoryFiles,
  index: IndexMeta,
  manifest: Manifest,
): Promise<void> {
  const { catalogue, documents, engine } = services
  const firstSeq = await documents.reserveRows(index, manifest.nextSeqNo + 1)
  const names: string[][] = []
  for (const layout of manifest.layouts) names.push(await columnsFor(services, index, layout))
  const table = catalogue.table(index.table).name
  let expected = 0
  for (const piece of manifest.pieces) {
    const columns = fileColumns(manifest.layouts[piece.layout] ?? [])
    const values = valuesOf(index, firstSeq, names[piece.layout] ?? [])
    for (const { sha256, rows } of piece.files) {
      await files.withFile(sha256, (file) => engine.insertFile({ table, file, columns, values, rows }))
      expected += rows
    }
  }
  const [counted] = await engine.rows(
    sql`SELECT count() FROM ${ident(table)} WHERE _slot = ${num(index.slot)} AND _index = ${num(index.id)}`,
    { weight: 'heavy' },
  )
  if (Number(counted?.[0]) !== expected) {
    const reason = `index [${index.name}] has [${String(counted?.[0])}] documents after it was restored instead of [${expected}]`
    throw new AppError(searchErrors.snapshot_restore_exception, reason)
  }
  await documents.showRows(index, manifest.nextSeqNo)
}
