import { defineCommand, noting } from '../define-command.ts'
import { named } from '../stage.ts'

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
