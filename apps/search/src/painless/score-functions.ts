import { isAppError } from '@logstack/errors'
import { dateFormat } from '../dates/date-format.ts'
import { evaluateDateMath } from '../dates/date-math.ts'
import { distanceOf, pointOf } from '../values/geo.ts'
import { murmur3 } from '../values/murmur3.ts'
import { readTime } from '../values/unit-values.ts'
import type { DateValue } from './date-value.ts'
import type { Doc } from './doc-values.ts'
import type { GeoPointValue } from './geo-point-value.ts'
import { JavaFault } from './java-fault.ts'
import { textOf } from './java-values.ts'
import { bare, numberOf } from './typed-number.ts'

/** A function of scores for one number of arguments: the types it takes, and what it gives of them over a document. */
interface ScoreFunction {
  readonly parameters: readonly string[]
  readonly of: (doc: Doc, args: readonly unknown[]) => number
}

/** How near a distance is, from 1 at the origin: at `scale` it is `decay`. */
type Nearness = (distance: number, scale: number, decay: number) => number

/** The shapes of decay, by what functions of that shape end in. */
const shapes: Readonly<Record<string, Nearness>> = {
  Linear: (distance, scale, decay) => {
    const reach = scale / (1 - decay)
    return Math.max(0, (reach - distance) / reach)
  },
  Exp: (distance, scale, decay) => Math.exp((Math.log(decay) / scale) * distance),
  Gauss: (distance, scale, decay) => Math.exp((Math.log(decay) / scale ** 2) * distance ** 2),
}

const numbers = (args: readonly unknown[]) => args.map((arg) => Number(bare(arg)))
const beyond = (distance: number, offset: number) => Math.max(0, distance - offset)

/** Faults of the arguments, as the script that gave them has them. */
function argument<T>(read: () => T): T {
  try {
    return read()
  } catch (thrown) {
    if (isAppError(thrown)) throw new JavaFault(thrown.code, thrown.message)
    throw thrown
  }
}

function numericDecay(near: Nearness): ScoreFunction['of'] {
  return (_, args) => {
    const [origin = 0, scale = 0, offset = 0, decay = 0, value = 0] = numbers(args)
    return near(beyond(Math.abs(value - origin), offset), scale, decay)
  }
}

/** Dates are in the default format and UTC; what `now` is, is not known to them. */
const dates = dateFormat('strict_date_optional_time||epoch_millis')

function originMs(text: string): number {
  if (text.startsWith('now')) throw new JavaFault('parse_exception', 'could not read the current timestamp')
  return evaluateDateMath(text, { format: dates, nowMs: 0 }).ms
}

function dateDecay(near: Nearness, shape: string): ScoreFunction['of'] {
  return (_, [origin, scale, offset, decay, value]) =>
    argument(() => {
      const distance = Math.abs((value as DateValue).ms - originMs(String(origin)))
      const free = readTime(`DecayDate${shape}.offset`, String(offset))
      return near(beyond(distance, free), readTime(`DecayDate${shape}.scale`, String(scale)), Number(bare(decay)))
    })
}

function geoDecay(near: Nearness): ScoreFunction['of'] {
  return (_, [origin, scale, offset, decay, value]) =>
    argument(() => {
      const { lat, lon } = pointOf(origin)
      const distance = (value as GeoPointValue).arcDistance(lat, lon)
      return near(beyond(distance, distanceOf(offset)), distanceOf(scale), Number(bare(decay)))
    })
}

/** The same for the same seed and value; values of a field are those of its first. Without a field it is the document's place in its index. */
function random(doc: Doc, [seed, field = '_seq_no']: readonly unknown[]): number {
  const value = textOf(doc.member(String(field), 0).method('get', 0)?.(0))
  return (murmur3(Buffer.from(value, 'utf8'), Number(bare(seed))) & 0xff_ff_ff) / 2 ** 24
}

const decays = Object.entries(shapes).flatMap(([shape, near]): [string, ScoreFunction][] => [
  [`decayNumeric${shape}`, { parameters: ['double', 'double', 'double', 'double', 'double'], of: numericDecay(near) }],
  [
    `decayDate${shape}`,
    { parameters: ['String', 'String', 'String', 'double', 'ZonedDateTime'], of: dateDecay(near, shape) },
  ],
  [`decayGeo${shape}`, { parameters: ['String', 'String', 'String', 'double', 'GeoPoint'], of: geoDecay(near) }],
])

/** What scripts that score call by name alone, with the types each takes by the number of its arguments. */
const scoreFunctions: readonly (readonly [name: string, ScoreFunction])[] = [
  [
    'saturation',
    {
      parameters: ['double', 'double'],
      of: (_, args) => {
        const [value = 0, half = 0] = numbers(args)
        return value / (half + value)
      },
    },
  ],
  [
    'sigmoid',
    {
      parameters: ['double', 'double', 'double'],
      of: (_, args) => {
        const [value = 0, half = 0, exponent = 0] = numbers(args)
        return value ** exponent / (half ** exponent + value ** exponent)
      },
    },
  ],
  ['randomScore', { parameters: ['int'], of: random }],
  ['randomScore', { parameters: ['int', 'String'], of: random }],
  ...decays,
]

/** The names of the functions, each with the types of its arguments once for every number of them. */
export const scoreFunctionForms: ReadonlyMap<string, readonly (readonly string[])[]> = new Map(
  [...new Set(scoreFunctions.map(([name]) => name))].map((name) => [
    name,
    scoreFunctions.filter(([other]) => other === name).map(([, { parameters }]) => parameters),
  ]),
)

/** A function over a document; what it gives is a double. */
export function scoreFunction(name: string, doc: Doc): (...args: unknown[]) => unknown {
  return (...args) => {
    const found = scoreFunctions.find(([other, { parameters }]) => other === name && parameters.length === args.length)
    if (!found) throw new Error(`BUG: [${name}] was compiled with [${args.length}] arguments`)
    return numberOf('double', found[1].of(doc, args))
  }
}
