import { AppError } from '@logstack/errors'
import { describe, expect, it } from 'vitest'
import { compileScript } from './script.ts'

function run(source: string, document: Record<string, unknown> = {}, params: Record<string, unknown> = {}) {
  const ctx: Record<string, unknown> = { op: 'index', _source: structuredClone(document) }
  const returned = compileScript({ source, lang: 'painless', params })(ctx)
  return { ctx, returned, source: ctx['_source'] as Record<string, unknown> }
}

const value = (expression: string, params: Record<string, unknown> = {}) =>
  run(`return ${expression}`, {}, params).returned

function failure(work: () => unknown): AppError {
  try {
    work()
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown
    throw thrown
  }
  throw new Error('nothing was thrown')
}

describe('documents', () => {
  it('assigns fields of the source, nested ones by dots or brackets', () => {
    const { source } = run("ctx._source.source.ip = '127.0.0.1'; ctx._source['user']['name'] = \"root\"", {
      source: { ip: 'LOCAL' },
      user: {},
    })
    expect(source).toEqual({ source: { ip: '127.0.0.1' }, user: { name: 'root' } })
  })

  it('removes keys, counts up, and sets the operation', () => {
    const { source, ctx } = run(
      "ctx._source.remove('a'); ctx._source.n += 2; ctx._source.n++; if (ctx._source.n > 5) { ctx.op = 'noop' }",
      {
        a: 1,
        n: 3,
      },
    )
    expect(source).toEqual({ n: 6 })
    expect(ctx['op']).toBe('noop')
  })

  it('filters a list by a lambda', () => {
    const { source } = run('ctx._source.tags.removeIf(t -> t == params.gone)', { tags: ['a', 'b', 'a'] }, { gone: 'a' })
    expect(source).toEqual({ tags: ['b'] })
  })

  it('keeps __proto__ a key like any other', () => {
    const { source } = run("ctx._source['__proto__'] = ['admin': true]")
    expect(Object.getPrototypeOf(source)).toBe(Object.prototype)
    expect(Object.keys(source)).toEqual(['__proto__'])
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined()
  })
})

describe('expressions', () => {
  it.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['7 / 2', 3],
    ['7 / 2.0', 3.5],
    ['7 % 4', 3],
    ['-7 / 2', -3],
    ["'a' + 1 + 2", 'a12'],
    ["1 < 2 && 'b' > 'a' || false", true],
    ['1 == 1.0', true],
    ["null ?: 'x'", 'x'],
    ['true ? 1 : 2', 1],
    ["'Hello'.substring(1, 3)", 'el'],
    ["'a,b'.splitOnToken(',')[1]", 'b'],
    ['[1, 2, 3].size()', 3],
    ["['a': 1].containsKey('b')", false],
    ['params.x instanceof String', true],
    ['Math.max(3, 4)', 4],
    ['9223372036854775807L', 9223372036854775807n],
    ['(int) 3.9', 3],
    ['0x1F', 31],
    ['1 << 4', 16],
    ['params?.missing?.deeper', null],
  ])('%s', (expression, expected) => {
    expect(value(expression, { x: 'text' })).toEqual(expected)
  })
})

describe('statements', () => {
  it('loops with for, for-each, while, break and continue', () => {
    const source = `int sum = 0;
      for (int i = 0; i < 10; i++) { if (i == 3) continue; if (i == 6) break; sum += i; }
      for (def x : [10, 20]) { sum += x }
      while (sum < 50) sum++;
      return sum;`
    expect(run(source).returned).toBe(50)
  })

  it('ends a loop that would run on', () => {
    const error = failure(() => run('while (true) {}'))
    expect(error.message).toBe('runtime error')
    expect((error.cause as AppError).code).toBe('painless_error')
  })

  it("keeps a block's names to the block", () => {
    const error = failure(() => compileScript('if (true) { def x = 1 } return x'))
    expect((error.cause as AppError).message).toBe('cannot resolve symbol [x]')
  })
})

describe('faults', () => {
  it('marks the place of a compile error', () => {
    const error = failure(() => compileScript({ source: 'ctx._source.x = foo', lang: 'painless' }))
    expect(error).toMatchObject({ code: 'script_exception', message: 'compile error', kind: 'invalid' })
    expect(error.detail).toEqual({
      script_stack: ['ctx._source.x = foo', '                ^---- HERE'],
      script: 'ctx._source.x = foo',
      lang: 'painless',
      position: { offset: 16, start: 0, end: 19 },
    })
    expect(error.cause).toMatchObject({ code: 'illegal_argument_exception', message: 'cannot resolve symbol [foo]' })
  })

  it('names a field that is asked of null', () => {
    const error = failure(() => run("ctx._source.source.ip = '1.2.3.4'"))
    expect(error.message).toBe('runtime error')
    expect(error.cause).toMatchObject({
      code: 'null_pointer_exception',
      message: 'cannot access method/field [ip] from a null def reference',
    })
  })

  it.each(['ctx._source.x =', "'open", 'if (true', '1 +', 'for (;;', '#', 'x y z', '[1, 2', '1 = 2'])(
    'refuses %s',
    (source) => {
      expect(failure(() => compileScript(source)).message).toBe('compile error')
    },
  )

  it('refuses other languages', () => {
    const error = failure(() => compileScript({ source: '1', lang: 'groovy' }))
    expect(error).toMatchObject({ code: 'illegal_argument_exception', message: 'script_lang not supported [groovy]' })
  })

  it('reaches nothing of the host', () => {
    for (const source of [
      "ctx.constructor.constructor('return 1')()",
      'process.exit(1)',
      "''.constructor",
      "ctx._source.toString.call('x')",
    ]) {
      expect(() => run(source)).toThrow(AppError)
    }
  })

  it('refuses nesting that would overflow the stack', () => {
    expect(failure(() => compileScript(`return ${'('.repeat(30000)}1`)).code).toBe('script_exception')
  })
})
