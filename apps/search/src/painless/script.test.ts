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
    ["1 < 2 && 'b'.compareTo('a') > 0 || false", true],
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
    const error = failure(() => run('int i = 0; while (i >= 0) {}'))
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

describe('functions, exceptions and letters', () => {
  it.each([
    ['int twice(int n) { return n * 2 } return twice(21)', 42],
    ['def fib(int n) { if (n < 2) { return n } return fib(n - 1) + fib(n - 2) } return fib(10)', 55],
    ['boolean is(Supplier s, def v) { return s.get() == v } return is(() -> { return "a" }, "a")', true],
    ['Function f = x -> x + 1; return f.apply(2)', 3],
    ['int[] a = new int[3]; a[1] = 5; return a[0] + a[1] + a.length', 8],
    ['def a = new String[] {"x", "y"}; return a[1]', 'y'],
    [
      "try { throw new IllegalArgumentException('no') } catch (IllegalArgumentException e) { return e.getMessage() }",
      'no',
    ],
    ["try { Integer.parseInt('x') } catch (NumberFormatException e) { return 'wrong' }", 'wrong'],
    ["try { Integer.parseInt('x') } catch (IllegalArgumentException e) { return e.message }", 'For input string: "x"'],
    ["String s = 'abc'; return s.charAt(1) == (char)'b'", true],
    ["String s = 'abc'; return s.charAt(1) + 'x'", 'bx'],
    ["return (char)'b' > (char)'a' && (int)(char)'a' == 97", true],
    ['return System.currentTimeMillis() > 1600000000000L', true],
    ['while (true) { return 1 }', 1],
  ])('%s', (source, expected) => {
    expect(run(source).returned).toEqual(expected)
  })

  it('sees nothing but its parameters within a function', () => {
    const thrown = failure(() => compileScript('def f() { return params.a } return f()'))
    expect(thrown.cause).toMatchObject({ message: 'cannot resolve symbol [params]' })
  })

  it.each([
    ['while (true) { }', 'no paths escape from while loop'],
    ['for (;;) { int a = 1 }', 'no paths escape from for loop'],
    ['do { } while (true)', 'no paths escape from do-while loop'],
    ['while (true) { while (ctx.a) { break } }', 'no paths escape from while loop'],
  ])('refuses %s', (source, reason) => {
    const thrown = failure(() => compileScript(source))
    expect(thrown.message).toBe('compile error')
    expect(thrown.cause).toMatchObject({ message: reason })
  })

  it('passes on what no clause catches, and never catches a limit', () => {
    const other = failure(() => run("try { throw new IllegalStateException('x') } catch (NullPointerException e) { }"))
    expect(other.cause).toMatchObject({ code: 'illegal_state_exception', message: 'x' })
    const limit = failure(() => run('try { int i = 0; while (i >= 0) { i = 1 } } catch (Exception e) { }'))
    expect(limit.cause).toMatchObject({ code: 'painless_error' })
  })

  it('ends a function that calls itself for ever', () => {
    expect(failure(() => run('def f(int n) { return f(n + 1) } return f(0)')).cause).toMatchObject({
      code: 'stack_overflow_error',
    })
  })

  it.each(['params.that = 3', "params.put('that', 3)", "params.remove('this')"])(
    'leaves the parameters of the request as they are: %s',
    (source) => {
      const thrown = failure(() => run(source, {}, { this: 2 }))
      expect(thrown.cause).toMatchObject({ code: 'unsupported_operation_exception' })
    },
  )

  it('keeps letters out of documents', () => {
    const { source } = run("ctx._source.letter = (char)'a'")
    expect(() => JSON.stringify(source)).toThrow(
      'cannot write xcontent for unknown value of type class java.lang.Character',
    )
  })
})

describe('limits of memory and time', () => {
  it.each([
    [
      'lists',
      'def l = []; for (int i = 0; i < 100000; i++) { l.add(i) } def m = []; for (int i = 0; i < 100000; i++) { m.addAll(l) }',
    ],
    ['arrays', 'def l = []; for (int i = 0; i < 100000; i++) { l.add(new long[100000]) }'],
    [
      'copies',
      'def l = []; for (int i = 0; i < 100000; i++) { l.add(i) } def m = []; for (int i = 0; i < 100000; i++) { m.add(new ArrayList(l)) }',
    ],
    [
      'lambdas',
      'def l = []; for (int i = 0; i < 2000; i++) { l.add(i) } l.removeIf(a -> l.removeIf(b -> l.removeIf(c -> false)))',
    ],
  ])('bounds the memory and time of %s', (_, source) => {
    expect(failure(() => run(source)).cause).toMatchObject({ code: 'painless_error' })
  })

  it.each([
    [
      'printed',
      'def a = [1]; for (int i = 0; i < 60; i++) { a = [a, a] } return a.toString()',
      'index_out_of_bounds_exception',
    ],
    [
      'compared',
      'def a = [1]; for (int i = 0; i < 60; i++) { a = [a, a] } return [a].contains([1])',
      'index_out_of_bounds_exception',
    ],
    [
      'stored',
      'def a = [1]; for (int i = 0; i < 60; i++) { a = [a, a] } ctx._source.a = a',
      'illegal_argument_exception',
    ],
  ])('bounds lists %s, however small in memory', (_, source, code) => {
    expect(failure(() => run(source)).cause).toMatchObject({ code })
  })

  it('bounds the length of texts that methods give', () => {
    const source = "String t = 'aaaaaaaaaa'; for (int i = 0; i < 30; i++) { t = t.concat(t) } return t"
    expect(failure(() => run(source)).cause).toMatchObject({ code: 'index_out_of_bounds_exception' })
  })
})
