import type { TimeContext } from '@logstack/syslog'
import type { Fields } from '../ecs/fields.ts'
import { limits } from '../limits.ts'
import type { DecoderEvent, DecoderFile } from './decoder-file.ts'
import type { Values } from './steps/step.ts'
import { writeFields } from './write-fields.ts'

/** What a decoder found in a message. */
export interface Decoded {
  readonly decoder: string
  readonly event: string
  readonly module: string
  readonly dataset: string | undefined
}

/** Where a message is from, as far as is known; decides which decoders look at it. */
export interface MessageSource {
  /** Syslog's app name. */
  readonly program?: string | undefined
  readonly dataset?: string | undefined
  /** The log file's path. */
  readonly path?: string | undefined
}

const anyProgram = '*'
const knownPathsMax = 5_000

/** All decoders, by what they are for. */
export class Decoders {
  readonly #byProgram = new Map<string, DecoderFile[]>()
  readonly #byDataset = new Map<string, DecoderFile[]>()
  readonly #byPath = new Map<string, readonly DecoderFile[]>()
  readonly #withPaths: readonly { readonly file: DecoderFile; readonly patterns: readonly RegExp[] }[]
  readonly #any: readonly DecoderFile[]

  constructor(files: readonly DecoderFile[]) {
    for (const file of files) {
      for (const program of file.programs) add(this.#byProgram, program, file)
      for (const dataset of file.datasets) add(this.#byDataset, dataset, file)
    }
    this.#withPaths = files.flatMap((file) =>
      file.paths.length > 0 ? [{ file, patterns: file.paths.map(pathPattern) }] : [],
    )
    this.#any = this.#byProgram.get(anyProgram) ?? []
  }

  /** Sets the fields of the first event that matches; undefined when none does and nothing was set. */
  decode(source: MessageSource, message: string, document: Fields, time: TimeContext): Decoded | undefined {
    const text = message.length > limits.decodedCharactersMax ? message.slice(0, limits.decodedCharactersMax) : message
    const { program, dataset, path } = source
    const tried = new Set<DecoderFile>()
    for (const candidates of [
      program === undefined ? undefined : this.#byProgram.get(program),
      path === undefined ? undefined : this.#atPath(path),
      dataset === undefined ? undefined : this.#byDataset.get(dataset),
      this.#any,
    ]) {
      for (const file of candidates ?? []) {
        if (tried.has(file)) continue
        tried.add(file)
        const decoded = decodeWith(file, text, document, time)
        if (decoded) return decoded
      }
    }
    return undefined
  }

  /** Whether some decoder is for this very source: events of it that none takes are worth a look. */
  knows({ program, dataset, path }: MessageSource): boolean {
    return (
      (program !== undefined && program !== anyProgram && this.#byProgram.has(program)) ||
      (dataset !== undefined && this.#byDataset.has(dataset)) ||
      (path !== undefined && this.#atPath(path).length > 0)
    )
  }

  #atPath(path: string): readonly DecoderFile[] {
    const known = this.#byPath.get(path)
    if (known) return known
    const found = this.#withPaths.flatMap(({ file, patterns }) =>
      patterns.some((pattern) => pattern.test(path)) ? [file] : [],
    )
    if (this.#byPath.size >= knownPathsMax) this.#byPath.clear()
    this.#byPath.set(path, found)
    return found
  }
}

function add(map: Map<string, DecoderFile[]>, key: string, file: DecoderFile): void {
  map.set(key, [...(map.get(key) ?? []), file])
}

function pathPattern(text: string): RegExp {
  const pieces = text.split('*').map((piece) => piece.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${pieces.join('.*')}$`)
}

function decodeWith(file: DecoderFile, text: string, document: Fields, time: TimeContext): Decoded | undefined {
  if (file.contains.length > 0 && !file.contains.some((literal) => text.includes(literal))) return undefined
  const values: Values = new Map()
  if (!file.steps.every((step) => step(text, values))) return undefined
  for (const event of file.events) {
    const own = event.steps.length === 0 ? values : new Map(values)
    if (!fits(event, own) || !event.steps.every((step) => step(text, own))) continue
    writeFields(file, own, document, time)
    writeFields(event, own, document, time)
    const dataset = event.dataset ?? file.dataset
    return { decoder: file.name, event: event.name, module: file.module, dataset }
  }
  return undefined
}

function fits(event: DecoderEvent, values: Values): boolean {
  for (const [name, wanted] of Object.entries(event.when)) {
    const value = values.get(name)
    if (value === undefined) return false
    const text = String(value)
    const isWanted = (pattern: string): boolean =>
      pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : text === pattern
    if (!(Array.isArray(wanted) ? wanted.some(isWanted) : isWanted(wanted))) return false
  }
  return true
}
