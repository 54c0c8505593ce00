import Hjson from 'hjson'
import { type Json, jsonObject, text } from '../../../kibana/saved-json.ts'
import { messages } from '../messages.ts'

const specLettersMax = 200_000
const rowsMax = 50_000
const stepsMax = 100_000

/** A specification that was read, before its data is asked for. */
export interface VegaSpec {
  readonly spec: Json
  readonly isLite: boolean
}

/** Reads the text of a specification, JSON or HJSON. Throws what is wrong with it, in words. */
export function readSpec(saved: string): VegaSpec {
  if (saved.length > specLettersMax) throw new Error(`The specification is longer than ${specLettersMax} letters`)
  const spec = jsonObject(Hjson.parse(saved))
  const kibana = jsonObject(jsonObject(spec['config'])['kibana'])
  if (kibana['type'] === 'map' || spec['%type%'] === 'map') throw new Error('Vega on a map is not drawn')
  refuseEndless(spec)
  return { spec, isLite: /vega-lite/.test(text(spec['$schema']) ?? '') || !isVega(spec) }
}

function isVega(spec: Json): boolean {
  return Array.isArray(spec['data']) || Array.isArray(spec['marks'])
}

/** A sequence of a billion numbers would stop the page. */
function refuseEndless(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const object = value as Json
  const steps = object['type'] === 'sequence' ? object : object['sequence']
  if (typeof steps === 'object' && steps !== null) {
    const { start = 0, stop, step = 1 } = steps as { start?: unknown; stop?: unknown; step?: unknown }
    const count = (Number(stop) - Number(start)) / Number(step)
    if (!(count <= stepsMax)) throw new Error(`A sequence must have fixed ends and at most ${stepsMax} steps`)
  }
  for (const held of Object.values(object)) refuseEndless(held)
}

/** What `sequence` gives in expressions, up to so many steps. */
export function boundedSequence(...ends: readonly unknown[]): number[] {
  const [start = 0, stop = 0, step = 1] = (ends.length < 2 ? [0, ...ends] : ends).map(Number)
  const count = Math.max(0, Math.ceil((stop - start) / step))
  if (!(count <= stepsMax)) throw new Error(`A sequence must have at most ${stepsMax} steps`)
  return Array.from({ length: count }, (_, at) => start + at * step)
}

/** The specification without what is meant for Kibana alone. */
export function withoutKibana(spec: Json): Json {
  const { kibana: _kibana, ...config } = jsonObject(spec['config'])
  return Object.keys(config).length > 0 ? { ...spec, config } : without(spec, 'config')
}

function without(spec: Json, left: string): Json {
  return Object.fromEntries(Object.entries(spec).filter(([name]) => name !== left))
}

/** The specification with the answers of search in the place of its urls; `ask` answers one. Other urls are refused in words. */
export async function withAnswers(spec: Json, ask: (url: Json) => Promise<unknown>): Promise<Json> {
  return jsonObject(await answered(spec, ask))
}

async function answered(value: unknown, ask: (url: Json) => Promise<unknown>): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((item: unknown) => answered(item, ask)))
  if (typeof value !== 'object' || value === null) return value
  const object = value as Json
  const url = object['url']
  if (typeof url === 'string') throw new Error(messages.vegaAddress(url))
  if (typeof url === 'object' && url !== null && 'index' in url) {
    const { url: _asked, format, ...rest } = object
    const { property, ...kept } = jsonObject(format) as { property?: unknown }
    const values = rowsAt(await ask(url as Json), text(property))
    return { ...rest, values, ...(Object.keys(kept).length > 0 ? { format: kept } : {}) }
  }
  const entries = Object.entries(object).map(async ([key, held]) => [key, await answered(held, ask)] as const)
  return Object.fromEntries(await Promise.all(entries))
}

/** What lies at a path of an answer, as rows. */
export function rowsAt(answer: unknown, path: string | undefined): unknown[] {
  let found: unknown = answer
  for (const name of path === undefined || path === '' ? [] : path.split('.')) found = jsonObject(found)[name]
  const rows: unknown[] = Array.isArray(found) ? found : found === undefined || found === null ? [] : [found]
  if (rows.length > rowsMax) throw new Error(`The answer has ${rows.length} rows: at most ${rowsMax} are drawn`)
  return rows
}
