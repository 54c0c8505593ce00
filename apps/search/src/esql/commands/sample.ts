import { num, sql } from '../../sql/sql.ts'
import { defineCommand } from '../define-command.ts'
import { selected } from '../stage.ts'

/** `SAMPLE p`: each row with a probability, by chance. */
export const sample = defineCommand({
  name: 'sample',
  apply: (stage, { probability }) =>
    selected(stage, () => sql`(SELECT * FROM ${stage.from()} WHERE randCanonical() < ${num(probability)})`),
})
