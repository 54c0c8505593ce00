import { join, num, type Sql, sql } from '../../sql/sql.ts'
import { defineCommand } from '../define-command.ts'
import { selected } from '../stage.ts'

/** `SAMPLE p`: each row with a probability, by chance. */
export const sample = defineCommand({
  name: 'sample',
  apply(stage, { probability }, { readsAgain, nowMs }) {
    const { ties = [] } = stage
    const chance = readsAgain && ties.length > 0 ? chanceOf(ties, nowMs) : sql`randCanonical()`
    return selected(stage, () => sql`(SELECT * FROM ${stage.from()} WHERE ${chance} < ${num(probability)})`)
  },
})

/** From 0 to 1, the same for a row each time that this query reads it. */
function chanceOf(ties: readonly Sql[], seed: number): Sql {
  return sql`sipHash64(${join([num(seed), ...ties], ', ')}) / ${num(2 ** 64)}`
}
