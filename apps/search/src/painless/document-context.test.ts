import { AppError } from '@logstack/errors'
import { expect, it } from 'vitest'
import { keepingSource } from './document-context.ts'
import { compileScript } from './script.ts'

function causeOf(source: string): unknown {
  try {
    compileScript(source)(keepingSource({ _source: { a: 1 } }))
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown.cause
    throw thrown
  }
  throw new Error('the script ended well')
}

it.each([
  ['ctx._source = [1, 2]', 'Expected [_source] to be a map, not [[1, 2]] with type [java.util.ArrayList]'],
  ["ctx['_source'] = 'a'", 'Expected [_source] to be a map, not [a] with type [java.lang.String]'],
  ["ctx.put('_source', 1.5)", 'Expected [_source] to be a map, not [1.5] with type [java.lang.Double]'],
  ["ctx.putAll(['_source': 3L])", 'Expected [_source] to be a map, not [3] with type [java.lang.Long]'],
  ['ctx._source = null', 'Expected [_source] to be a map, not [null]'],
])('refuses a source that is no map: %s', (source, message) => {
  expect(causeOf(source)).toMatchObject({ code: 'illegal_argument_exception', message })
})

it.each(["ctx.remove('_source')", 'ctx.clear()'])('refuses to be without a source: %s', (source) => {
  expect(causeOf(source)).toMatchObject({ code: 'unsupported_operation_exception' })
})

it('takes another map, and leaves other maps alone', () => {
  const ctx: Record<string, unknown> = keepingSource({ _source: { a: 1 } })
  compileScript("ctx._source = ['b': ['_source': [1]]]")(ctx)
  expect(ctx).toEqual({ _source: { b: { _source: [1] } } })
})
