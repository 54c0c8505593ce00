import { once } from '../../sql/once.ts'
import { num, type Sql, sql, str } from '../../sql/sql.ts'
import { defineFunction, type EsqlFunction } from '../define-function.ts'
import { missingReason } from '../faults.ts'
import { UnreadConstant } from '../problems.ts'
import { shownType, stringTypes } from '../types.ts'
import { nullOf, refuse, type Value } from '../value.ts'
import { converted } from './converted.ts'
import { javaDouble } from './java-double.ts'
import { listOf } from './one-type.ts'

/** The latitude (1) or longitude (2) of a point, which is kept as `lat,lon`; of none 0. */
export const coordinate = (point: Sql, at: 1 | 2): Sql => sql`toFloat64OrZero(splitByChar(',', ${point})[${num(at)}])`

/** A point as well-known text, numbers as Java prints them. */
export function pointToText(point: Sql): Sql {
  const there = sql`assumeNotNull(${point})`
  const [lat, lon] = [javaDouble(coordinate(there, 1)), javaDouble(coordinate(there, 2))]
  return sql`if(isNull(${point}), NULL, concat('POINT (', ${lon}, ' ', ${lat}, ')'))`
}

const figure = String.raw`([-+]?[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?)`
const wellKnown = str(String.raw`(?i)^\s*point\s*\(\s*${figure}\s+${figure}\s*\)\s*$`)

/** What well-known text says of a point: longitude and latitude; an empty list of all others. */
const read = (text: Sql): Sql =>
  sql`arrayMap(t -> toFloat64OrZero(t), extractGroups(assumeNotNull(${text}), ${wellKnown}))`

function textToPoint(text: Sql): Sql {
  const held = (of: Sql) =>
    sql`if(length(${of}) = 2 AND abs(${of}[1]) <= 180 AND abs(${of}[2]) <= 90, concat(toString(${of}[2]), ',', toString(${of}[1])), NULL)`
  return sql`if(isNull(${text}), NULL, ${once('point', read(text), held)})`
}

/** Why a text is no point. */
function unreadReason(text: Sql): Sql {
  const failed = 'java.lang.IllegalArgumentException: Failed to parse WKT: '
  const beyond = (name: string, value: Sql, most: number) =>
    sql`concat(${str(`${failed}invalid ${name} `)}, ${javaDouble(value)}, ${str(`; must be between -${most}.0 and ${most}.0`)})`
  const word = sql`lower(extract(assumeNotNull(${text}), '^\\\\s*([^\\\\s(),]+)'))`
  const reason = (of: Sql) =>
    sql`multiIf(length(${of}) < 2, concat(${str(`${failed}Unknown geometry type: `)}, ${word}), abs(${of}[2]) > 90, ${beyond('latitude', sql`${of}[2]`, 90)}, ${beyond('longitude', sql`${of}[1]`, 180)})`
  return once('unread', read(text), reason)
}

const toPoint = defineFunction({
  name: 'to_geopoint',
  params: [{ name: 'field', types: ['geo_point', ...stringTypes], many: true, shown: 'geo_point or string' }],
  fault({ values: [value] }, { sql: answer }) {
    if (!value || value.many || !stringTypes.includes(value.type)) return undefined
    return missingReason(answer, [value.sql], unreadReason(value.sql))
  },
  faults({ values: [value] }) {
    if (!value?.many || !stringTypes.includes(value.type)) return undefined
    const one = missingReason(textToPoint(sql`u`), [sql`u`], unreadReason(sql`u`))
    return one && sql`arrayMap(u -> ${one}, ${value.sql})`
  },
  compile: (call) => converted(call, 'geo_point', (value, from) => (from === 'geo_point' ? value : textToPoint(value))),
})

const places = 'geo_point or cartesian_point'
const constantPoint = /^\s*point\s*\(\s*([-+]?\d*\.?\d+(?:e[-+]?\d+)?)\s+([-+]?\d*\.?\d+(?:e[-+]?\d+)?)\s*\)\s*$/iu

/** A text of the query as a point. Throws `Problem` where it is none, and for texts that do not stand in the query. */
function readConstant(value: Value, text: string): Value {
  if (!stringTypes.includes(value.type)) return value
  const { literal } = value
  if (typeof literal !== 'string')
    return refuse(
      value,
      `argument of [${text}] must be [${places}], found value [${value.text}] type [${shownType(value.type)}]`,
    )
  const [, lon, lat] = constantPoint.exec(literal) ?? []
  if (lon === undefined || lat === undefined) {
    const [word = ''] = /[^\s(),]+/u.exec(literal.toLowerCase()) ?? []
    const reason = `Failed to parse WKT: Unknown geometry type: ${word}`
    throw new UnreadConstant(value.from, `Cannot convert string [${literal}] to [GEO_POINT], error [${reason}]`)
  }
  return { ...value, type: 'geo_point', sql: str(`${Number(lat)},${Number(lon)}`) }
}

function ordinate(name: string, at: 1 | 2): EsqlFunction {
  return defineFunction({
    name,
    params: [{ name: 'point', types: ['geo_point', ...stringTypes], many: true, shown: places }],
    compile(call) {
      const values = call.values.map((value) => readConstant(value, call.text))
      return converted(
        { sql: values.map((value) => value.sql), values },
        'double',
        (value) => sql`if(isNull(${value}), NULL, ${coordinate(sql`assumeNotNull(${value})`, at)})`,
      )
    },
  })
}

/** The mean radius of the earth, as Lucene has it. */
const earthMetres = 6_371_008.7714

/** A latitude or longitude as an index keeps it: a multiple of a part of the circle. */
export function keptCoordinate(point: Sql, at: 1 | 2): Sql {
  const step = num((at === 1 ? 180 : 360) / 2 ** 32)
  return sql`floor(${coordinate(point, at)} / ${step}) * ${step}`
}

/** Metres between two points along a great circle, by the haversine. */
function metres(a: Sql, b: Sql): Sql {
  const [lat1, lat2] = [keptCoordinate(a, 1), keptCoordinate(b, 1)]
  const [lon1, lon2] = [keptCoordinate(a, 2), keptCoordinate(b, 2)]
  const half = (difference: Sql) => sql`pow(sin(radians(${difference}) / 2), 2)`
  const share = sql`${half(sql`${lat1} - ${lat2}`)} + cos(radians(${lat1})) * cos(radians(${lat2})) * ${half(sql`${lon1} - ${lon2}`)}`
  return sql`${num(2 * earthMetres)} * asin(least(1, sqrt(${share})))`
}

/** Of several points those count that are nearest to each other. */
const distance = defineFunction({
  name: 'st_distance',
  params: [
    { name: 'geomA', types: ['geo_point'], many: true, shown: places },
    { name: 'geomB', types: ['geo_point'], many: true, shown: 'geo_point or geo_shape' },
  ],
  compile({ values: [a, b] }) {
    if (!a || !b || a.type === 'null' || b.type === 'null') return { type: 'double', sql: nullOf('double') }
    const each = sql`arrayMap(p -> arrayMap(q -> ${metres(sql`p`, sql`q`)}, ${listOf(b)}), ${listOf(a)})`
    return {
      type: 'double',
      sql: once('apart', sql`arrayFlatten(${each})`, (of) => sql`if(empty(${of}), NULL, arrayMin(${of}))`),
    }
  },
})

/** Functions of points on the earth. */
export const pointFunctions: readonly EsqlFunction[] = [toPoint, ordinate('st_x', 2), ordinate('st_y', 1), distance]
