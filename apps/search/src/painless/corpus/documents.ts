import { type Fault, fails, refused } from './case.ts'

type Source = Readonly<Record<string, unknown>>

/** What a script makes of a document: its new source, or the operation instead (`none`, `delete`), or a fault; `invalid`: what is refused behind the script. */
type DocumentOutcome = Source | 'noop' | 'delete' | Fault | { readonly invalid: string }

export type DocumentCase = readonly [script: string, source: Source, expected: DocumentOutcome, params?: Source]

/** Scripts of `_update`: `ctx._source` and `ctx.op`. */
export const updates: readonly DocumentCase[] = [
  ['ctx._source.n = 1', {}, { n: 1 }],
  ['ctx._source.n += 2', { n: 3 }, { n: 5 }],
  ['ctx._source.n++', { n: 3 }, { n: 4 }],
  ['ctx._source.n = ctx._source.n / 2', { n: 7 }, { n: 3 }],
  ['ctx._source.n = ctx._source.n / 2.0', { n: 7 }, { n: 3.5 }],
  ['ctx._source.n += params.by', { n: 1 }, { n: 5 }, { by: 4 }],
  ['ctx._source.n = ctx._source.n + 1', { n: 2_147_483_647 }, { n: -2_147_483_648 }],
  ['ctx._source.n = ctx._source.n + 1', { n: 2_147_483_648 }, { n: 2_147_483_649 }],
  ["ctx._source.remove('a')", { a: 1, b: 2 }, { b: 2 }],
  ["ctx._source.tags.add('x')", { tags: ['a'] }, { tags: ['a', 'x'] }],
  ['ctx._source.tags.removeIf(t -> t == params.gone)', { tags: ['a', 'b', 'a'] }, { tags: ['b'] }, { gone: 'a' }],
  [
    "if (ctx._source.tags.contains(params.t)) { ctx.op = 'delete' } else { ctx.op = 'none' }",
    { tags: ['a'] },
    'delete',
    { t: 'a' },
  ],
  [
    "if (ctx._source.tags.contains(params.t)) { ctx.op = 'delete' } else { ctx.op = 'none' }",
    { tags: ['a'] },
    'noop',
    { t: 'b' },
  ],
  ["ctx.op = 'noop'", { a: 1 }, 'noop'],
  ["ctx._source.user.name = 'root'", { user: { id: 1 } }, { user: { id: 1, name: 'root' } }],
  ["ctx._source['a.b'] = 1", {}, { 'a.b': 1 }],
  ["ctx._source.user = ['name': 'x', 'age': 3]", {}, { user: { name: 'x', age: 3 } }],
  ['if (ctx._source.seen == null) { ctx._source.seen = 1 } else { ctx._source.seen++ }', {}, { seen: 1 }],
  ['ctx._source.entrySet().removeIf(e -> e.getValue() == null)', { a: null, b: 1 }, { b: 1 }],
  ['ctx._source.putAll(params.doc)', { a: 1 }, { a: 1, b: { c: 2 } }, { doc: { b: { c: 2 } } }],
  ['ctx._source = params.doc', { a: 1 }, { b: 2 }, { doc: { b: 2 } }],
  ["ctx._source['__proto__'] = 1", {}, JSON.parse('{"__proto__":1}') as Source],
  ['ctx._source.d = 2.0', {}, { d: 2 }],
  ['ctx._source.l = 5L; ctx._source.list = [1L, 2.0f]', {}, { l: 5, list: [1, 2] }],
  ['ctx._source.set = new HashSet([3, 1])', {}, { set: [1, 3] }],
  [
    "ctx._source.letter = 'abc'.charAt(1)",
    {},
    { invalid: 'cannot write xcontent for unknown value of type class java.lang.Character' },
  ],
  ['ctx._source.self = ctx._source', {}, { invalid: 'Iterable object is self-referencing itself' }],
  [
    "ctx._source.source.ip = '1.2.3.4'",
    {},
    fails('null_pointer_exception', 'cannot access method/field [ip] from a null def reference', 18),
  ],
  ['ctx._source.n = foo', {}, refused('cannot resolve symbol [foo]', 16)],
  ["throw new IllegalArgumentException('no ' + ctx._id)", {}, fails('illegal_argument_exception', 'no 1')],
]

/** Scripts of `_update_by_query`: as `_update`, but metadata is not theirs to change. */
export const updatesByQuery: readonly DocumentCase[] = [
  ['ctx._source.n = 1', {}, { n: 1 }],
  ["ctx.op = 'delete'", { n: 1 }, 'delete'],
  ["ctx.op = 'noop'", { n: 1 }, 'noop'],
  [
    "ctx.op = 'explode'",
    {},
    { invalid: 'Operation type [explode] not allowed, only [noop, index, delete] are allowed' },
  ],
  ["ctx._id = 'other'", {}, { invalid: 'Modifying [_id] not allowed' }],
  ["ctx._index = 'other'", {}, { invalid: 'Modifying [_index] not allowed' }],
  ['ctx.more = 1', {}, { invalid: 'Invalid fields added to context [more]' }],
  [
    'ctx._source = 5',
    {},
    fails('illegal_argument_exception', 'Expected [_source] to be a map, not [5] with type [java.lang.Integer]', 3),
  ],
  ["ctx._source.from = ctx._index + '/' + ctx._id", {}, { from: 'books/1' }],
  [
    'for (def k : new ArrayList(ctx._source.keySet())) { if (k.startsWith(params.p)) { ctx._source.remove(k) } }',
    { tmp_a: 1, b: 2 },
    { b: 2 },
    { p: 'tmp_' },
  ],
  ["ctx._source.host = ctx._source.remove('hostname')", { hostname: 'web' }, { host: 'web' }],
  ['ctx._source.n = Integer.parseInt(ctx._source.n)', { n: '12' }, { n: 12 }],
  [
    'ctx._source.n = Integer.parseInt(ctx._source.n)',
    { n: 'x' },
    fails('number_format_exception', 'For input string: "x"'),
  ],
]

/** Scripts of `_reindex`, which may move documents. */
export const reindexes: readonly DocumentCase[] = [
  ["ctx._source.source.ip = '127.0.0.1'", { source: { ip: 'LOCAL' } }, { source: { ip: '127.0.0.1' } }],
  [
    "if (ctx._source.source.ip == 'LOCAL') { ctx._source.source.remove('ip') }",
    { source: { ip: 'LOCAL', port: 1 } },
    { source: { port: 1 } },
  ],
  ['ctx._id = ctx._source.key', { key: 'k' }, { key: 'k' }],
  ["ctx._index = 'archive'", { a: 1 }, { a: 1 }],
  ["ctx.op = 'noop'", {}, 'noop'],
  ["ctx.op = 'delete'", {}, 'delete'],
  ["ctx._source.tag = ctx._source.remove('flag')", { flag: 'foo' }, { tag: 'foo' }],
  ['ctx.other = 1', {}, { invalid: 'Invalid fields added to context [other]' }],
]

/** Scripts of the `script` processor: `ctx` is the document with its metadata. */
export const ingests: readonly DocumentCase[] = [
  ['ctx.n = 1', {}, { n: 1 }],
  ["ctx.remove('a')", { a: 1, b: 2 }, { b: 2 }],
  ["ctx['a.b'] = ctx.a", { a: 1 }, { a: 1, 'a.b': 1 }],
  ['ctx.total = ctx.values.stream().mapToInt(v -> v).sum()', { values: [1, 2, 3] }, { values: [1, 2, 3], total: 6 }],
  ["ctx.parts = ctx.path.splitOnToken('/')", { path: '/var/log' }, { path: '/var/log', parts: ['', 'var', 'log'] }],
  ['ctx.level = ctx.level.toLowerCase()', { level: 'WARN' }, { level: 'warn' }],
  ['if (ctx.message =~ /error/) { ctx.bad = true }', { message: 'an error' }, { message: 'an error', bad: true }],
  [
    'def m = /user=(\\w+)/.matcher(ctx.message); if (m.find()) { ctx.user = m.group(1) }',
    { message: 'user=root x' },
    { message: 'user=root x', user: 'root' },
  ],
  ["ctx.ms = Processors.bytes('1kb')", {}, { ms: 1024 }],
  [
    'ctx.t = ZonedDateTime.parse(ctx.at).toInstant().toEpochMilli()',
    { at: '2024-02-29T00:00:00Z' },
    { at: '2024-02-29T00:00:00Z', t: 1_709_164_800_000 },
  ],
  ['ctx.entrySet().removeIf(e -> e.getKey().startsWith("tmp"))', { tmp1: 1, a: 2 }, { a: 2 }],
  ["ctx.user?.remove('name')", {}, {}],
  ['ctx.env = params.env', {}, { env: 'prod' }, { env: 'prod' }],
  [
    'ctx.user.name = 1',
    {},
    fails('null_pointer_exception', 'cannot access method/field [name] from a null def reference', 8),
  ],
]

/** Conditions of processors (`if`). */
export const conditions: readonly (readonly [condition: string, source: Source, holds: boolean | Fault])[] = [
  ["ctx.level == 'error'", { level: 'error' }, true],
  ["ctx.level == 'error'", {}, false],
  ['ctx.user?.name != null', { user: {} }, false],
  ["ctx.tags != null && ctx.tags.contains('x')", { tags: ['x'] }, true],
  ['ctx.n instanceof String', { n: 1 }, false],
  ['ctx?.http?.status >= 500', { http: { status: 503 } }, true],
  ['ctx.http.status >= 500', {}, fails('null_pointer_exception')],
  ["['a', 'b'].contains(ctx.kind)", { kind: 'b' }, true],
  ['ctx.kind == ', {}, { stage: 'compile', type: 'illegal_argument_exception' }],
  ["if (ctx.kind == 'a') { return true } return ctx.n > 1", { kind: 'b', n: 2 }, true],
  ["if (ctx.kind == 'a') { return true }", { kind: 'b' }, false],
  ['def n = ctx.n; n > 1', { n: 2 }, true],
  [
    "'text'",
    {},
    { stage: 'compile', type: 'class_cast_exception', reason: 'Cannot cast from [java.lang.String] to [boolean].' },
  ],
  ['ctx.n', { n: 1 }, fails('class_cast_exception', 'cannot implicitly cast def [java.lang.Integer] to boolean')],
  ['ctx.n', {}, fails('null_pointer_exception')],
  ['ctx.contain("a")', {}, refused('member method [java.util.Map, contain/1] not found')],
]
