import { defineCommand, noting } from '../define-command.ts'
import { type Column, named } from '../stage.ts'

/** `KEEP names`: these columns, in this order; of a column that several patterns fit the most precise says where it stands. */
export const keep = defineCommand({
  name: 'keep',
  apply(stage, { names }, context) {
    const groups = names.map((pattern) => ({
      pattern,
      found: noting(context, () => named(stage, pattern, { suggests: false })) ?? [],
    }))
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
