import { AppError, searchErrors } from '@logstack/errors'

/** What a body or an answer is written in. */
export type BodyFormat = 'json' | 'ndjson' | 'yaml'

const vendorPattern =
  /^application\/vnd\.elasticsearch\+(json|x-ndjson|yaml|cbor|smile)\s*(?:;\s*compatible-with\s*=\s*"?(\d+)"?)?/i

/** The format of a request's body; undefined when the media type is not supported (406). Charsets other than UTF-8 are refused. */
export function bodyFormat(contentType: string): BodyFormat | undefined {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase())
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '')
  if (charset !== undefined && charset !== 'utf-8') return undefined
  const vendor = vendorPattern.exec(contentType)?.[1]?.toLowerCase()
  const name = vendor ?? /^application\/(json|x-ndjson|yaml|x-yaml)$/.exec(type)?.[1]
  if (name === 'json') return 'json'
  if (name === 'x-ndjson') return 'ndjson'
  if (name === 'yaml' || name === 'x-yaml') return 'yaml'
  return undefined
}

/** How rows are written as a table of separated values. */
export type TableFormat = 'csv' | 'tsv'

/** How the answer is to be written: `format` of the query wins, then a single media type in `Accept`; a list of types counts as none. */
export interface AnswerFormat {
  readonly format: 'json' | 'yaml' | 'text' | TableFormat | undefined
  /** The media type to answer JSON as. */
  readonly jsonType: string
}

const tableTypes: ReadonlyMap<string, TableFormat> = new Map([
  ['text/csv', 'csv'],
  ['text/tab-separated-values', 'tsv'],
])

/** Reads `format` and `Accept`; `isTable` says that the answer is rows of cells. A vendor type is echoed with its version, whichever of 7, 8 and 9 it is, so that every client works. */
export function answerFormat(accept: string | undefined, format: unknown, isTable = false): AnswerFormat {
  const single = accept && !accept.includes(',') ? accept.trim() : ''
  const vendor = vendorPattern.exec(single)
  const jsonType =
    vendor?.[1]?.toLowerCase() === 'json' && vendor[2]
      ? `application/vnd.elasticsearch+json;compatible-with=${vendor[2]}`
      : 'application/json'
  if (typeof format === 'string') return { format: formatByName(format, isTable), jsonType }
  const type = single.split(';')[0]?.trim().toLowerCase() ?? ''
  if (vendor?.[1] === 'json' || type === 'application/json') return { format: 'json', jsonType }
  if (vendor?.[1] === 'yaml' || type === 'application/yaml') return { format: 'yaml', jsonType }
  if (type === 'text/plain') return { format: 'text', jsonType }
  if (isTable && tableTypes.has(type)) return { format: tableTypes.get(type), jsonType }
  return { format: undefined, jsonType }
}

function formatByName(name: string, isTable: boolean): AnswerFormat['format'] {
  if (isTable && (name === 'csv' || name === 'tsv')) return name
  if (name === 'json' || name === 'yaml' || name === 'text') return name
  if (name === 'txt') return 'text'
  throw new AppError(searchErrors.illegal_argument_exception, `format [${name}] is not supported`)
}
