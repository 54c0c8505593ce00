import { defineCommand, noting } from '../define-command.ts'
import { named, unusable } from '../stage.ts'
import { refuse } from '../value.ts'

/** `RENAME a AS b`: the column under another name; one that had it is gone. */
export const rename = defineCommand({
  name: 'rename',
  apply(stage, { renames }, context) {
    let columns = stage.columns
    const gone = new Map<string, string>()
    for (const { from, to } of renames) {
      const later = gone.get(from.name)
      const [found] =
        noting(context, () => {
          if (later !== undefined) refuse(from, noLonger(from.name, later, context.text.slice(from.from, to.to)))
          const [column] = named({ columns }, { ...from, isPattern: false })
          return column?.type === 'unsupported' ? refuse(from, unusable(column)) : [column]
        }) ?? []
      if (!found || from.name === to.name) continue
      gone.set(from.name, to.name)
      gone.delete(to.name)
      columns = columns
        .filter(({ name }) => name !== to.name)
        .map((each) => (each === found ? { ...each, name: to.name } : each))
    }
    return { ...stage, columns }
  },
})

function noLonger(name: string, later: string, written: string): string {
  return `Column [${name}] renamed to [${later}] and is no longer available [${written}]`
}
