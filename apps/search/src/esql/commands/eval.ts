import { defineCommand, noting, valueIn } from '../define-command.ts'
import type { Fault } from '../faults.ts'
import { columnAt, replaced, type Stage, withCells, withFaults } from '../stage.ts'
import { spanTypes } from '../types.ts'
import { refuse } from '../value.ts'

/** `EVAL name = expression, …`: columns of expressions; each may name those before it. */
export const evaluate = defineCommand({
  name: 'eval',
  apply(stage, { fields }, context) {
    let made: Stage = stage
    for (const field of fields) {
      const faults: Fault[] = []
      const value = noting(context, () => {
        const read = valueIn(made, context, field.of, faults)
        if (spanTypes.includes(read.type) || read.type === '_source')
          refuse(
            field,
            `EVAL does not support type [${read.type}] as the return data type of expression [${read.text}]`,
          )
        return read
      })
      const alias = context.aliases.next()
      const type = value?.type ?? 'null'
      const columns = replaced(made.columns, [columnAt(field.name, { type, many: value?.many ?? false }, alias)])
      made = {
        ...withFaults(
          withCells(made, value ? [[alias, value.sql]] : []),
          { of: [alias], faults, value: value?.sql },
          context,
        ),
        columns,
      }
    }
    return made
  },
})
