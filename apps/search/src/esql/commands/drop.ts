import { defineCommand, noting } from '../define-command.ts'
import { named } from '../stage.ts'

/** `DROP names`: all columns but these. */
export const drop = defineCommand({
  name: 'drop',
  apply(stage, { names }, context) {
    const gone = new Set(names.flatMap((pattern) => noting(context, () => named(stage, pattern)) ?? []))
    return { ...stage, columns: stage.columns.filter((column) => !gone.has(column)) }
  },
})
