import { join, type Sql, sql, str } from '../../sql/sql.ts'
import { defineFunction, type EsqlFunction } from '../define-function.ts'
import { stringTypes } from '../types.ts'
import { nullOf, refuse } from '../value.ts'
import { bound } from './one-type.ts'

const missing = nullOf('keyword')

/** Algorithms by their names in Java, and the engine's functions. */
const algorithms: readonly (readonly [names: readonly string[], make: Sql])[] = [
  [['md5'], sql`MD5`],
  [['sha', 'sha1', 'sha-1'], sql`SHA1`],
  [['sha-224', 'sha224'], sql`SHA224`],
  [['sha-256', 'sha256'], sql`SHA256`],
  [['sha-384', 'sha384'], sql`SHA384`],
  [['sha-512', 'sha512'], sql`SHA512`],
  [['sha-512/256', 'sha512/256'], sql`SHA512_256`],
]

function digest(make: Sql, text: Sql): Sql {
  return sql`lower(hex(${make}(${text})))`
}

const hash = defineFunction({
  name: 'hash',
  params: [
    { name: 'algorithm', types: stringTypes },
    { name: 'input', types: stringTypes },
  ],
  compile({ sql: [name = missing, input = missing], values: [algorithm], text }) {
    if (typeof algorithm?.literal === 'string') {
      const asked = algorithm.literal.toLowerCase()
      const [, make] = algorithms.find(([names]) => names.includes(asked)) ?? []
      if (!make)
        return refuse(algorithm, `invalid algorithm for [${text}]: ${algorithm.literal} MessageDigest not available`)
      return { type: 'keyword', sql: digest(make, input) }
    }
    const branches = algorithms.flatMap(([names, make]) => [
      sql`lower(a) IN (${join(names.map(str), ', ')})`,
      digest(make, sql`v`),
    ])
    const chosen = sql`multiIf(${join([...branches, missing], ', ')})`
    return { type: 'keyword', sql: bound(name, sql`a`, bound(input, sql`v`, chosen)) }
  },
})

function named(name: string, make: Sql): EsqlFunction {
  return defineFunction({
    name,
    params: [{ name: 'input', types: stringTypes }],
    compile: ({ sql: [input = missing] }) => ({ type: 'keyword', sql: digest(make, input) }),
  })
}

/** Functions that make a fixed number of hexadecimal digits of a text. */
export const hashFunctions: readonly EsqlFunction[] = [
  hash,
  named('md5', sql`MD5`),
  named('sha1', sql`SHA1`),
  named('sha256', sql`SHA256`),
]
