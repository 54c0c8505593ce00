import type { TimeContext } from '@logstack/syslog'
import type { Fields } from '../ecs/fields.ts'
import { limits } from '../limits.ts'
import { compileDecoder, containsOne, type Decode, type Decoded, literalSource } from './compile-decoder.ts'
import type { DecoderFile } from './decoder-file.ts'

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
const knownSourcesMax = 5_000

/** The decoders that look at what comes from one source. */
interface Looking {
  readonly own: readonly Decode[]
  /** Those for whatever program, which look last. */
  readonly rest: readonly Decode[]
}

/** All decoders, by what they are for. */
export class Decoders {
  readonly #byProgram = new Map<string, DecoderFile[]>()
  readonly #byDataset = new Map<string, DecoderFile[]>()
  readonly #byPath = new Map<string, readonly DecoderFile[]>()
  readonly #withPaths: readonly { readonly file: DecoderFile; readonly patterns: readonly RegExp[] }[]
  readonly #any: readonly DecoderFile[]
  readonly #mayBeAny: (text: string) => boolean
  readonly #decodes = new Map<DecoderFile, Decode>()
  readonly #bySource = new Map<string, Looking>()

  constructor(files: readonly DecoderFile[]) {
    for (const file of files) {
      for (const program of file.programs) add(this.#byProgram, program, file)
      for (const dataset of file.datasets) add(this.#byDataset, dataset, file)
      this.#decodes.set(file, compileDecoder(file))
    }
    this.#withPaths = files.flatMap((file) =>
      file.paths.length > 0 ? [{ file, patterns: file.paths.map(pathPattern) }] : [],
    )
    this.#any = this.#byProgram.get(anyProgram) ?? []
    this.#mayBeAny = containsOne(this.#any.flatMap(({ contains }) => contains))
  }

  /** Sets the fields of the first event that matches; undefined when none does and nothing was set. */
  decode(source: MessageSource, message: string, document: Fields, time: TimeContext): Decoded | undefined {
    const text = message.length > limits.decodedCharactersMax ? message.slice(0, limits.decodedCharactersMax) : message
    const { own, rest } = this.#lookingAt(source)
    return first(own, text, document, time) ?? (this.#mayBeAny(text) ? first(rest, text, document, time) : undefined)
  }

  /** Whether some decoder is for this very source: events of it that none takes are worth a look. */
  knows(source: MessageSource): boolean {
    const { program, dataset, path } = source
    return (
      (program !== undefined && program !== anyProgram && this.#byProgram.has(program)) ||
      (dataset !== undefined && this.#byDataset.has(dataset)) ||
      (path !== undefined && this.#atPath(path).length > 0)
    )
  }

  #lookingAt({ program, dataset, path }: MessageSource): Looking {
    const key = `${program ?? ''}\n${dataset ?? ''}\n${path ?? ''}`
    const known = this.#bySource.get(key)
    if (known) return known
    const own = new Set([
      ...(this.#byProgram.get(program ?? '') ?? []),
      ...(path === undefined ? [] : this.#atPath(path)),
      ...(this.#byDataset.get(dataset ?? '') ?? []),
    ])
    const rest = this.#any.filter((file) => !own.has(file))
    const decodeOf = (file: DecoderFile): Decode[] => [this.#decodes.get(file) ?? []].flat()
    const looking = { own: [...own].flatMap(decodeOf), rest: rest.flatMap(decodeOf) }
    if (this.#bySource.size >= knownSourcesMax) this.#bySource.clear()
    this.#bySource.set(key, looking)
    return looking
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

function first(decodes: readonly Decode[], text: string, document: Fields, time: TimeContext): Decoded | undefined {
  for (const decode of decodes) {
    const decoded = decode(text, document, time)
    if (decoded) return decoded
  }
  return undefined
}

function add(map: Map<string, DecoderFile[]>, key: string, file: DecoderFile): void {
  map.set(key, [...(map.get(key) ?? []), file])
}

function pathPattern(text: string): RegExp {
  return new RegExp(`^${text.split('*').map(literalSource).join('.*')}$`)
}
