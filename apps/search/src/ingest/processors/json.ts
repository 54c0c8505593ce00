import { AppError } from '@logstack/errors'
import { setOwn } from '../../json/own-member.ts'
import { firstObject, parseExactJson } from '../../json/source-json.ts'
import { textOf } from '../../painless/java-values.ts'
import { unfit } from '../../refusals/unfit.ts'
import { defineProcessor } from '../define-processor.ts'
import { javaType } from '../ingest-document.ts'

/** `json`: the value a text is the JSON of. */
export const jsonProcessor = defineProcessor('json', (config) => {
  const field = config.text('field')
  const target = config.optionalText('target_field') ?? field
  const toRoot = config.boolean('add_to_root')
  const merge = config.optionalText('add_to_root_conflict_strategy') === 'merge'
  config.boolean('allow_duplicate_keys')
  if (toRoot && config.any('target_field') !== undefined) {
    throw config.fault('target_field', 'Cannot set a target field while also setting `add_to_root` to true')
  }
  const strict = config.boolean('strict_json_parsing', true)
  return (document) => {
    const value = jsonValue(document.get(field), strict)
    if (!toRoot) {
      document.set(target, value)
      return
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw unfit('cannot add non-map fields to root of document')
    }
    for (const [key, item] of Object.entries(value)) addToRoot(document.ctx, key, item, merge)
  }
})

function addToRoot(root: Record<string, unknown>, key: string, item: unknown, merge: boolean): void {
  const old = Object.hasOwn(root, key) ? root[key] : undefined
  if (merge && isMap(old) && isMap(item)) {
    for (const [inner, value] of Object.entries(item)) addToRoot(old, inner, value, merge)
    return
  }
  setOwn(root, key, item)
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The first value of a text; what stands behind it is only let pass where it was asked for. */
const firstScalar = /^\s*("(?:[^"\\]|\\.)*"|[^\s,[\]{}"]+)/

function firstValue(text: string): string {
  return /^\s*[[{]/.test(text) ? firstObject(text) : (firstScalar.exec(text)?.[1] ?? text)
}

function jsonValue(value: unknown, strict: boolean): unknown {
  if (value === null) return null
  if (typeof value === 'object') throw unfit(`field of type [${javaType(value)}] cannot be read as JSON`)
  const text = textOf(value)
  try {
    return parseExactJson(strict ? text : firstValue(text))
  } catch (thrown) {
    const isUnfit = thrown instanceof AppError || thrown instanceof SyntaxError
    throw isUnfit ? unfit(`the value [${text.slice(0, 100)}] is not valid JSON`) : thrown
  }
}
