import { expect, it } from 'vitest'
import { join, type Sql, shortened, sql, str, unlessAbove } from './sql.ts'

const always = unlessAbove({ table: 1, seq: 7 }, sql`_seq <= 7`)
const shorter = (statement: Sql): string | undefined => statement.shorter && shortened(statement.shorter).text

it('leaves out conditions that all rows meet, and says so where none is left', () => {
  const both = join([always, always], ' AND ')
  expect(both.text).toBe('_seq <= 7 AND _seq <= 7')
  expect(shorter(both)).toBe('true')
  expect(shorter(sql`WHERE ${both} AND a = 1`)).toBe('WHERE a = 1')
  expect(shorter(sql`WHERE (b = 2 AND ${both}) AND a = 1`)).toBe('WHERE (b = 2) AND a = 1')
  expect(shorter(sql`WHERE a = 1 AND (${both})`)).toBe('WHERE a = 1 AND (true)')
  expect(shorter(sql`WHERE a = 1`)).toBeUndefined()
})

it('leaves texts of a client as they are', () => {
  const [mark = ''] = [always.shorter?.text]
  const statement = sql`WHERE ${always} AND a = ${str(`${mark} AND b`)}`
  expect(shorter(statement)).toBe(`WHERE a = ${str(`${mark} AND b`).text}`)
  expect(shorter(statement)).toContain('left out')
})
