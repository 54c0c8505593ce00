import { expect, it } from 'vitest'
import { sql } from '../sql/sql.ts'
import { limitStatements } from './statement-limit.ts'

it('runs a few statements at once, and all of them, also when some fail', async () => {
  let running = 0
  let most = 0
  const limited = limitStatements({
    async rows(statement) {
      most = Math.max(most, ++running)
      await Promise.resolve()
      await Promise.resolve()
      running--
      if (statement.text.endsWith('3')) throw new Error(statement.text)
      return [[statement.text]]
    },
  })
  const texts = [sql`1`, sql`2`, sql`3`, sql`4`, sql`5`, sql`13`, sql`6`, sql`7`]
  const settled = await Promise.allSettled(texts.map((statement) => limited.rows(statement)))
  expect(settled.map(({ status }) => status === 'fulfilled')).toEqual(texts.map(({ text }) => !text.endsWith('3')))
  expect(most).toBe(3)
})
