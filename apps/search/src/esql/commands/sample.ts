import type { Expression } from '@logstack/esql'
import { num, sql } from '../../sql/sql.ts'
import { defineCommand } from '../define-command.ts'
import { Problem } from '../problems.ts'
import { selected } from '../stage.ts'

/** `SAMPLE p`: each row with a probability, by chance. */
export const sample = defineCommand({
  name: 'sample',
  apply(stage, { probability }, context) {
    const share = shareOf(probability, context.text)
    return selected(stage, () => sql`(SELECT * FROM ${stage.from()} WHERE randCanonical() < ${num(share)})`)
  },
})

function shareOf(probability: Expression, text: string): number {
  const value = probability.kind === 'literal' ? Number(probability.value) : Number.NaN
  if (value > 0 && value < 1) return value
  throw new Problem(
    probability.from,
    `invalid value for SAMPLE probability [${text.slice(probability.from, probability.to)}], expecting a number between 0 and 1, exclusive`,
  )
}
