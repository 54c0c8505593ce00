import { ident, join, type Sql, sql, str } from '../../sql/sql.ts'

/** A column that a leaf does not have: what stands for its value, and of which type all its values are. */
export interface Absent {
  readonly absent: Sql
  readonly type: string
}

/** A column of several leaves. */
export interface LeafColumn {
  readonly alias: Sql
  /** In each leaf. */
  readonly byLeaf: readonly (Sql | Absent)[]
}

/** Of fewer there is little to be spared. */
const [leavesMin, rareMin] = [8, 8]
/** A column is rare that no more than this part of the leaves has. */
const rareShare = 1 / 4

/**
 * What is read of each of many leaves: `SELECT own FROM leaf` for each, with `around` as the columns of the union of all. Columns that few of the leaves have travel in a map for each of their types, as the engine
 * thinks about each column of each leaf: of a hundred data streams with a field of their own each that are 10,000 columns, 100 of which are some stream's (ADR 0007).
 */
export function withoutRare(columns: readonly LeafColumn[]): {
  readonly byLeaf: (leaf: number) => readonly Sql[]
  /** Columns to be made of the union's; none where none is rare. */
  readonly around: readonly Sql[]
} {
  const rare = columns.filter(isRare)
  const plain = rare.length < rareMin ? columns : columns.filter((column) => !isRare(column))
  const packed = rare.length < rareMin ? [] : packs(rare)
  return {
    byLeaf: (leaf) => [
      ...plain.map(({ alias, byLeaf }) => sql`${written(byLeaf[leaf])} AS ${alias}`),
      ...packed.map(({ alias, type, members }) => sql`${packOf(members, type, leaf)} AS ${alias}`),
    ],
    around: packed.flatMap(({ alias, members }) =>
      members.map((member) => sql`${alias}[${str(member.alias.text)}] AS ${member.alias}`),
    ),
  }
}

function isAbsent(value: Sql | Absent | undefined): value is Absent {
  return value !== undefined && 'absent' in value
}

function isRare({ byLeaf }: LeafColumn): boolean {
  if (byLeaf.length < leavesMin) return false
  const absent = byLeaf.filter(isAbsent).length
  return absent > 0 && byLeaf.length - absent <= byLeaf.length * rareShare
}

function written(value: Sql | Absent | undefined): Sql {
  if (value === undefined) return sql`NULL`
  return isAbsent(value) ? value.absent : value
}

interface Pack {
  readonly alias: Sql
  readonly type: string
  readonly members: readonly LeafColumn[]
}

/** Rare columns by the type of their values. */
function packs(rare: readonly LeafColumn[]): Pack[] {
  const byType = new Map<string, LeafColumn[]>()
  for (const column of rare) {
    const type = column.byLeaf.find(isAbsent)?.type ?? ''
    byType.set(type, [...(byType.get(type) ?? []), column])
  }
  const [first] = rare
  return [...byType].map(([type, members], at) => ({
    alias: ident(`${first?.alias.text.replaceAll('`', '')}_rare${at}`),
    type,
    members,
  }))
}

function packOf(members: readonly LeafColumn[], type: string, leaf: number): Sql {
  const own = members.flatMap(({ alias, byLeaf }) => {
    const value = byLeaf[leaf]
    return value === undefined || isAbsent(value) ? [] : [sql`${str(alias.text)}, ${value}`]
  })
  return sql`CAST(map(${join(own, ', ')}), ${str(`Map(String, ${type})`)})`
}
