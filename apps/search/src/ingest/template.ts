import { AppError, searchErrors } from '@logstack/errors'
import { renderedCharsMax, tooLongReason } from '../mustache/render-template.ts'
import { textOf } from '../painless/java-values.ts'
import type { IngestDocument } from './ingest-document.ts'

/** Fills a text that may name fields as `{{field}}`. */
export type Template = (document: IngestDocument) => string

/** Fills a value: texts in it may name fields. The result shares nothing with the value given. */
export type ValueTemplate = (document: IngestDocument) => unknown

const tag = /\{\{\{\s*([^{}]+?)\s*\}\}\}|\{\{\s*([^{}]*?)\s*\}\}/g

/** How values go into a text: `{{field}}` is escaped for it, `{{{field}}}` is not. */
const escapes = {
  'application/json': (text: string) => JSON.stringify(text).slice(1, -1),
  'text/plain': (text: string) => text,
  'application/x-www-form-urlencoded': (text: string) => encodeURIComponent(text).replaceAll('%20', '+'),
} as const

/** Media types a template may be filled for. */
export type TemplateMediaType = keyof typeof escapes

/** The known media types of templates. */
export const templateMediaTypes = Object.keys(escapes) as readonly TemplateMediaType[]

/**
 * Compiles a text with `{{field}}` in it. Throws `illegal_argument_exception` for Mustache's sections and partials, which
 * pipelines here do not have; what it makes throws `parse_exception` where it becomes too long.
 */
export function compileTemplate(text: string, mediaType: TemplateMediaType = 'application/json'): Template {
  if (!text.includes('{{')) return () => text
  for (const [, , name] of text.matchAll(tag)) {
    if (name !== undefined && /^[#^/>!=]/.test(name)) {
      throw new AppError(
        searchErrors.illegal_argument_exception,
        `sections are not supported in templates of pipelines: [{{${name}}}]`,
      )
    }
  }
  const escaped = escapes[mediaType]
  return (document) => {
    let made = text.length
    const bounded = (piece: string): string => {
      made += piece.length
      if (made > renderedCharsMax) throw new AppError(searchErrors.parse_exception, tooLongReason)
      return piece
    }
    return text.replace(tag, (_whole, raw: string | undefined, plain: string | undefined) => {
      if (raw !== undefined) return bounded(filled(document, raw))
      if (plain?.startsWith('&')) return bounded(filled(document, plain.slice(1).trim()))
      return bounded(escaped(filled(document, plain ?? '')))
    })
  }
}

function filled(document: IngestDocument, path: string): string {
  const value = path === '' ? undefined : document.find(path)
  return value === undefined || value === null ? '' : textOf(value)
}

/** Compiles any JSON value whose texts and keys may be templates. */
export function compileValue(value: unknown, mediaType?: TemplateMediaType): ValueTemplate {
  if (typeof value === 'string') return compileTemplate(value, mediaType)
  if (Array.isArray(value)) {
    const items = value.map((item) => compileValue(item, mediaType))
    return (document) => items.map((item) => item(document))
  }
  if (typeof value !== 'object' || value === null) return () => value
  const entries = Object.entries(value).map(
    ([key, item]) => [compileTemplate(key, mediaType), compileValue(item, mediaType)] as const,
  )
  return (document) => Object.fromEntries(entries.map(([key, item]) => [key(document), item(document)]))
}
