import { stringify as stringifyYaml } from 'yaml'
import { printCompact, printPretty, readJsonText } from '../json/json-text.ts'
import type { RouteAnswer } from './define-route.ts'
import { applyPathFilter, readPathFilter } from './encoding/filter-path.ts'
import { withHumanValues } from './encoding/human-values.ts'
import type { AnswerFormat } from './encoding/media-types.ts'

/** An answer as it goes over the wire. */
export interface RenderedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** What the request asked for in how its answer is written. */
export interface AnswerOptions {
  readonly pretty: boolean
  /** Sizes and times also as people read them. */
  readonly human?: boolean
  readonly filterPath: string | undefined
  readonly answer: AnswerFormat
}

/** Writes an answer: the only place where `filter_path`, `pretty` and `format` are applied. */
export function renderAnswer(answer: RouteAnswer, options: AnswerOptions): RenderedAnswer {
  const status = answer.status ?? 200
  const headers = { ...answer.headers }
  if (answer.text !== undefined) {
    return {
      status,
      headers: { 'content-type': 'text/plain; charset=UTF-8', ...headers },
      body: Buffer.from(answer.text),
    }
  }
  if (answer.json === undefined && answer.jsonBytes === undefined) {
    return { status, headers, body: Buffer.alloc(0) }
  }
  const yaml = options.answer.format === 'yaml'
  const type = yaml ? 'application/yaml' : options.answer.jsonType
  return { status, headers: { 'content-type': type, ...headers }, body: jsonBody(answer, options, yaml) }
}

function jsonBody(answer: RouteAnswer, options: AnswerOptions, yaml: boolean): Buffer {
  const path = answer.unfiltered || answer.isFiltered ? undefined : options.filterPath
  const filter = path === undefined ? undefined : readPathFilter(path)
  if (!filter && !options.pretty && !options.human && !yaml)
    return answer.jsonBytes ?? Buffer.from(JSON.stringify(answer.json))
  const read = readJsonText(answer.jsonBytes?.toString('utf8') ?? JSON.stringify(answer.json))
  const tree = options.human ? withHumanValues(read) : read
  const kept = filter ? applyPathFilter(tree, filter) : tree
  if (yaml)
    return Buffer.from(
      `---\n${stringifyYaml(JSON.parse(printCompact(kept)), { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' })}`,
    )
  return Buffer.from(options.pretty ? `${printPretty(kept)}\n` : printCompact(kept))
}
