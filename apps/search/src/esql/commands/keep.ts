import { defineCommand, noting } from '../define-command.ts'
import { type Column, named } from '../stage.ts'

/** `KEEP names`: these columns, in this order; of a column that several patterns fit the most precise says where it stands. */
export const keep = defineCommand({
  name: 'keep',
  apply(stage, { names }, context) {
    const groups = names.map((pattern) => ({ pattern, found: noting(context, () => named(stage, pattern)) ?? [] }))
    const precision = (name: string, isPattern: boolean) => (isPattern ? (name === '*' ? 0 : 1) : 2)
    const taken = new Map<Column, { readonly group: number; readonly precise: number }>()
    for (const [group, { pattern, found }] of groups.entries()) {
      const precise = precision(pattern.name, pattern.isPattern)
      for (const column of found)
        if (precise >= (taken.get(column)?.precise ?? -1)) taken.set(column, { group, precise })
    }
    const columns = groups.flatMap(({ found }, group) => found.filter((column) => taken.get(column)?.group === group))
    return { ...stage, columns: [...new Set(columns)] }
  },
})

/** `DROP names`: all columns but these. */
export const drop = defineCommand({
  name: 'drop',
  apply(stage, { names }, context) {
    const gone = new Set(names.flatMap((pattern) => noting(context, () => named(stage, pattern)) ?? []))
    return { ...stage, columns: stage.columns.filter((column) => !gone.has(column)) }
  },
})

/** `RENAME a AS b`: the column under another name; one that had it is gone. */
export const rename = defineCommand({
  name: 'rename',
  apply(stage, { renames }, context) {
    let columns = stage.columns
    for (const { from, to } of renames) {
      const [found] = noting(context, () => named({ columns }, { ...from, isPattern: false })) ?? []
      if (!found || from.name === to.name) continue
      columns = columns
        .filter(({ name }) => name !== to.name)
        .map((each) => (each === found ? { ...each, name: to.name } : each))
    }
    return { ...stage, columns }
  },
})
