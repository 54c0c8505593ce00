import { AppError } from '@logstack/errors'
import { describe, expect, it } from 'vitest'
import { compileScript } from './script.ts'

const run = (source: string) => compileScript({ source, lang: 'painless', params: {} })({})

describe('collections of scripts', () => {
  it.each([
    ['def l = [3, 1, 2]; l.sort(null); return l', [1, 2, 3]],
    ['def l = [3, 1, 2]; l.sort((a, b) -> b - a); return l', [3, 2, 1]],
    ['def l = [3, 1, 2]; Collections.sort(l); return l', [1, 2, 3]],
    ["def l = ['bb', 'a', 'ccc']; l.sort(Comparator.comparing(t -> t.length())); return l", ['a', 'bb', 'ccc']],
    [
      "def l = ['bb', 'a', 'ccc']; l.sort(Comparator.comparing(String::length).reversed()); return l",
      ['ccc', 'bb', 'a'],
    ],
    [
      "def l = ['b', 'aa', 'a']; l.sort(Comparator.comparing(String::length).thenComparing(t -> t)); return l",
      ['a', 'b', 'aa'],
    ],
    ['def l = [1, 2]; l.addAll([3, 4]); l.add(0, 9); return l.subList(1, 4)', [1, 2, 3]],
    ['def s = 0; [1, 2, 3].forEach(n -> { s += n }); return s', 6],
    ["return ['a', 'b'].join('-')", 'a-b'],
    ["return 'f' + (x -> x)", 'forg.elasticsearch.painless.Lambda'],
    ['return String.valueOf(Integer::compare)', 'org.elasticsearch.painless.Lambda'],
    ['return [1, 2, 3].any(n -> n > 2) && [1, 2].every(n -> n > 0) && [1, 2, 3].find(n -> n > 1) == 2', true],
    ['return [1, 2, 3, 4].groupBy(n -> n % 2)', { 0: [2, 4], 1: [1, 3] }],
    ['def l = [1, 2, 3]; l.retainAll([2, 3, 4]); return l', [2, 3]],
    ['def n = 0; for (def it = [1, 2].iterator(); it.hasNext();) { n += it.next() } return n', 3],
    ["Set s = new HashSet(); s.add('a'); s.add('a'); s.addAll(['b', 'a']); return s", ['a', 'b']],
    [
      "Set s = new HashSet(['a', 'b', 'a']); return s.size() == 2 && s.contains('b') && s.remove('b') && !s.contains('b')",
      true,
    ],
    [
      "Map m = new HashMap(); m.computeIfAbsent('a', k -> []).add(1); m.merge('n', 2, Integer::sum); m.merge('n', 3, Integer::sum); return m",
      { a: [1], n: 5 },
    ],
    ["def m = ['a': 1, 'b': 2]; def t = ''; m.forEach((k, v) -> { t += k + v }); return t", 'a1b2'],
    ["def m = ['a': 1, 'b': 2]; m.replaceAll((k, v) -> v * 10); return m.findAll((k, v) -> v > 10)", { b: 20 }],
    [
      "return ['b': 1, 'a': 2].entrySet().stream().sorted((x, y) -> x.getKey().compareTo(y.getKey())).map(e -> e.getKey()).collect(Collectors.toList())",
      ['a', 'b'],
    ],
  ])('%s', (source, expected) => {
    expect(run(source)).toEqual(expected)
  })

  it('is JSON as a list or a map', () => {
    expect(JSON.stringify(run("return ['set': new HashSet([2, 1, 2])]"))).toBe('{"set":[1,2]}')
  })
})

describe('streams', () => {
  it.each([
    ['return [1, 2, 3].stream().filter(n -> n > 1).map(n -> n * 2).collect(Collectors.toList())', [4, 6]],
    ["return ['b', 'a'].stream().sorted().collect(Collectors.joining(', ', '[', ']'))", '[a, b]'],
    ['return [1, 2, 2].stream().distinct().count()', 2],
    ['return [1, 2, 3].stream().mapToInt(Integer::intValue).sum()', 6],
    ['return [1, 2].stream().mapToDouble(n -> n).average().getAsDouble()', 1.5],
    ['return [1, 3, 2].stream().max(Integer::compare).get()', 3],
    ['return [].stream().findFirst().orElse(7)', 7],
    ['return [1, 2, 3].stream().reduce(0, Integer::sum)', 6],
    ['return [1, 2, 3].stream().skip(1).limit(1).toList()', [2]],
    ['return [[1], [2, 3]].stream().flatMap(l -> l.stream()).toList()', [1, 2, 3]],
    ['return IntStream.range(0, 3).boxed().collect(Collectors.toList())', [0, 1, 2]],
    [
      "return ['aa', 'b', 'c'].stream().collect(Collectors.groupingBy(String::length, Collectors.counting()))",
      { 1: 2, 2: 1 },
    ],
    ["return ['aa', 'b'].stream().collect(Collectors.toMap(t -> t, String::length))", { aa: 2, b: 1 }],
    ['return [1, 2].stream().anyMatch(n -> n == 2) && [1].stream().noneMatch(n -> n == 2)', true],
    ['int twice(int n) { return n * 2 } return [1, 2].stream().map(this::twice).toList()', [2, 4]],
    ['return Integer.MAX_VALUE + Math.floorMod(-1, 3)', -2_147_483_647],
  ])('%s', (source, expected) => {
    expect(run(source)).toEqual(expected)
  })

  it.each([
    ['[].stream().findFirst().get()', 'no_such_element_exception'],
    ['[].iterator().next()', 'no_such_element_exception'],
    [
      "def t = 'a'; for (int i = 0; i < 20; i++) { t += t } def l = []; for (int i = 0; i < 10000; i++) { l.add(t) } l.stream().map(String::toUpperCase).toList()",
      'painless_error',
    ],
    ["[1, 'a'].stream().sorted().toList()", 'class_cast_exception'],
    ['IntStream.range(0, 2000000).sum()', 'index_out_of_bounds_exception'],
    ['def l = []; for (int i = 0; i < 100; i++) { l.add(IntStream.range(0, 100000)) }', 'painless_error'],
    [
      'def l = IntStream.range(0, 100000).toList(); for (int i = 0; i < 100000; i++) { l.contains(-1) }',
      'painless_error',
    ],
    ['[1].stream().map(this::nothing)', 'illegal_argument_exception'],
    [
      'int own(int one, int other) { return one } return [1].stream().map(this::own).toList()',
      'illegal_argument_exception',
    ],
    ['return new TreeSet([2, 1])', 'illegal_argument_exception'],
  ])('ends with its fault: %s', (source, code) => {
    let cause: unknown
    try {
      run(source)
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown
      cause = thrown.cause
    }
    expect(cause).toMatchObject({ code })
  })
})
