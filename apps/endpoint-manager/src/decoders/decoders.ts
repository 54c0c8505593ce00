import { type Fields, setField } from '../ecs/fields.ts'
import { limits } from '../limits.ts'
import type { DecoderEvent, DecoderFile } from './decoder-file.ts'

/** What a decoder found in a message. */
export interface Decoded {
  readonly decoder: string
  readonly event: string
  readonly module: string
  readonly dataset: string | undefined
}

interface Compiled {
  readonly file: DecoderFile
  readonly event: DecoderEvent
  readonly pattern: RegExp
}

const anyProgram = '*'

/** All decoders, by the program they are for. */
export class Decoders {
  readonly #byProgram = new Map<string, Compiled[]>()
  readonly #any: readonly Compiled[]

  constructor(files: readonly DecoderFile[]) {
    for (const file of files) {
      const compiled = file.events.map((event) => ({ file, event, pattern: new RegExp(event.match, 's') }))
      for (const program of file.programs) {
        this.#byProgram.set(program, [...(this.#byProgram.get(program) ?? []), ...compiled])
      }
    }
    this.#any = this.#byProgram.get(anyProgram) ?? []
  }

  /** Sets the fields of the first event that matches; undefined when none does and nothing was set. */
  decode(program: string, message: string, document: Fields): Decoded | undefined {
    const text = message.length > limits.decodedCharactersMax ? message.slice(0, limits.decodedCharactersMax) : message
    const own = program === anyProgram ? undefined : this.#byProgram.get(program)
    for (const candidates of [own ?? [], this.#any]) {
      for (const { file, event, pattern } of candidates) {
        const found = pattern.exec(text)
        if (!found) continue
        apply(event, found.groups ?? {}, document)
        return { decoder: file.name, event: event.name, module: file.module, dataset: file.dataset }
      }
    }
    return undefined
  }
}

function apply(event: DecoderEvent, groups: Readonly<Record<string, string | undefined>>, document: Fields): void {
  const values = new Map(Object.entries(groups))
  if (event.kv) {
    for (const pair of (groups[event.kv.group] ?? '').split(event.kv.pairs)) {
      const at = pair.indexOf(event.kv.separator)
      if (at > 0) values.set(pair.slice(0, at).trim(), pair.slice(at + event.kv.separator.length).trim())
    }
  }
  for (const [field, wanted] of Object.entries(event.set)) {
    const value = Array.isArray(wanted) ? wanted.flatMap((item) => fill(item, values) ?? []) : filled(wanted, values)
    if (value === undefined) continue
    // An address that is a name belongs into `.address`; ECS has one beside every `.ip` of a peer.
    if (!setField(document, field, value) && field.endsWith('.ip')) {
      setField(document, field.replace(/\.ip$/, '.address'), value)
    }
  }
}

function filled(wanted: string | number | boolean, values: ReadonlyMap<string, string | undefined>): unknown {
  return typeof wanted === 'string' ? fill(wanted, values) : wanted
}

function fill(template: string, values: ReadonlyMap<string, string | undefined>): string | undefined {
  if (!template.includes('{')) return template
  let isComplete = true
  const text = template.replace(/\{([A-Za-z_]\w*)\}/g, (_, name: string) => {
    const value = values.get(name)
    if (value === undefined || value === '') isComplete = false
    return value ?? ''
  })
  return isComplete ? text : undefined
}
