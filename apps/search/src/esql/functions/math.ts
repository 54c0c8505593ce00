import { sql } from '../../sql/sql.ts'
import { defineFunction, type EsqlFunction } from '../define-function.ts'
import { numericTypes } from '../types.ts'

const abs = defineFunction({
  name: 'abs',
  params: [{ name: 'number', types: numericTypes }],
  compile: ({ sql: [number = sql`NULL`], values: [value] }) => ({
    type: value?.type ?? 'double',
    sql: value?.type === 'unsigned_long' ? number : sql`abs(${number})`,
  }),
})

/** Functions of numbers. */
export const mathFunctions: readonly EsqlFunction[] = [abs]
