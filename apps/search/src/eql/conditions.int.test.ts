import { beforeAll, describe, expect, it } from 'vitest'
import { sampleEvents, secondsIn } from './sample-events.fixture.ts'

const { send, found } = sampleEvents()

describe('conditions', () => {
  it.each([
    ['true', 'a,b,c,d,e'],
    ['process where true', 'a,b'],
    ['"file" where pid == 30', 'c'],
    ['name == "cmd.exe"', 'a'],
    ['"cmd.exe" == name', 'a'],
    ['name != "cmd.exe"', 'b,c,e'],
    ['name : "cmd.exe"', 'a,b'],
    ['name : "c*.EXE"', 'a,b'],
    ['name like "c*.exe"', 'a'],
    ['name like~ ("C?D*", "nothing")', 'a,b'],
    ['name == "x*y?z"', 'c'],
    ['name in ("cmd.exe", "")', 'a,e'],
    ['name in~ ("cmd.exe", "")', 'a,b,e'],
    ['name not in ("cmd.exe", "")', 'b,c'],
    ['name regex "c[lm]d.*"', 'a'],
    ['name regex~ ("c[lm]d.*", "zz")', 'a,b'],
    ['path : "*\\\\system32\\\\*"', 'a'],
    ['path like """C:\\tmp\\*"""', 'b'],
    ['`field name` == "say \\"hi\\"\\n"', 'd'],
    ['pid > 10', 'b,c'],
    ['pid >= 10 and pid < 30', 'a,b'],
    ['pid : 10 or pid like~ (20, 77)', 'a,b'],
    ['30 >= pid and 10 < pid', 'b,c'],
    ['load == 0.5', 'a'],
    ['ok', 'a'],
    ['not ok', 'b'],
    ['ok == false', 'b'],
    ['(pid == 10) == true', 'a'],
    ['ip == "10.1.2.3"', 'a'],
    ['cidrMatch(ip, "10.0.0.0/8", "172.16.0.0/12")', 'a'],
    ['not cidrMatch(ip, "10.0.0.0/8")', 'b'],
    ['when >= "2025-12-31"', 'd'],
    ['text == "short"', 'd'],
    ['text : "*OF*"', 'c'],
    ['args == "two"', 'c,e'],
    ['args != "one"', 'e'],
    ['args == "one" and args == "two"', 'c'],
    ['name == "cmd.exe" // a comment\n /* and another */ or pid == 0', 'a,e'],
    ['name == "cmd.\\u{0065}xe"', 'a'],
  ])('finds by %s', async (condition, ids) => {
    expect(await found(condition)).toBe(ids)
  })
})

describe('what is missing', () => {
  it.each([
    ['name == null', 'd'],
    ['name != null', 'a,b,c,e'],
    ['text == null', 'a,b,e'],
    ['?unknown == null', 'a,b,c,d,e'],
    ['?unknown != null', ''],
    ['?unknown == "x" or not ?unknown == "x"', ''],
    ['not name == "cmd.exe"', 'b,c,e'],
    ['not (name == "cmd.exe" or pid == 20)', 'c,e'],
    ['not (pid > 5 and load > 1)', 'a,e'],
    ['not (not (load > 1))', 'c'],
    ['not name : "c*"', 'c,e'],
    ['not (load > 1) or not (load <= 1)', 'a,c'],
    ['pid in (10, null)', 'a'],
    ['not pid in (10, null)', ''],
    ['pid == null or pid != null', 'a,b,c,d,e'],
    ['null', ''],
    ['not null', ''],
    ['length(name) == null', 'd'],
    ['not length(name) > 3', 'e'],
    ['(load > 1) == null', 'b,d,e'],
  ])('is neither true nor false: %s', async (condition, ids) => {
    expect(await found(condition)).toBe(ids)
  })
})

describe('functions', () => {
  it.each([
    ['pid + 5 == 15', 'a'],
    ['pid * 2 - 5 > 20', 'b,c'],
    ['pid / 3 == 3', 'a'],
    ['pid / 4.0 == 2.5', 'a'],
    ['100 / pid == 10', 'a'],
    ['pid % 20 == 10', 'a,c'],
    ['-pid == -10', 'a'],
    ['pid == parent', 'b'],
    ['not pid == parent', 'a'],
    ['pid > load', 'a,c'],
    ['add(pid, parent) == 15', 'a'],
    ['subtract(pid, parent) == 0', 'b'],
    ['multiply(pid, 0.5) == 5', 'a'],
    ['divide(pid, 0) == 1', ''],
    ['modulo(pid, 7) == 3', 'a'],
    ['length(name) == 7', 'a,b'],
    ['startsWith(name, "cmd")', 'a'],
    ['startsWith~(name, "cmd")', 'a,b'],
    ['not startsWith~(name, "cmd")', 'c,e'],
    ['endsWith(path, name)', 'a,b'],
    ['endsWith~(path, "CMD.exe")', 'a,b'],
    ['stringContains(name, "*y?")', 'c'],
    ['stringContains~(path, "SYSTEM32")', 'a'],
    ['not stringContains(name, "")', 'a,b,c,e'],
    ['stringContains(path, name)', 'a,b'],
    ['indexOf(name, ".") == 3', 'a,b'],
    ['indexOf(name, ".", 4) == null', 'a,b,c,d,e'],
    ['indexOf~(name, "EXE", 1) == 4', 'a,b'],
    ['substring(name, -4) == ".exe"', 'a'],
    ['substring(name, -4, -1) : ".EX"', 'a,b'],
    ['substring(name, 0, 3) in ("cmd", "x*y")', 'a,c'],
    ['substring(name, 50) == ""', 'a,b,c,e'],
    ['between(path, "Windows\\\\", "\\\\") == "System32"', 'a'],
    ['between~(path, "windows\\\\", ".") == "System32\\\\cmd"', 'a'],
    ['between(path, "\\\\", "\\\\", true) == "Windows\\\\System32"', 'a'],
    ['between(path, "nothing", ".") == ""', 'a,b'],
    ['concat(name, " ", pid, " ", ok) == "cmd.exe 10 true"', 'a'],
    ['string(pid) == "10"', 'a'],
    ['number(hex) == 255', 'd'],
    ['number(hex) == 42.5', 'e'],
    ['number(name) == null', 'a,b,c,d,e'],
    ['length("abc") == 3 and pid == 0', 'e'],
    ['length(args) == 3', 'c'],
    ['startsWith(args, "t")', 'c,e'],
  ])('give %s', async (condition, ids) => {
    expect(await found(condition)).toBe(ids)
  })
})

describe('several indices', () => {
  const path = '/events,more/_eql/search'
  const both = (condition: string) => found(condition, {}, path)

  beforeAll(async () => {
    const properties = {
      '@timestamp': { type: 'date' },
      other: { type: 'keyword' },
      pid: { type: 'integer' },
      text: { type: 'keyword' },
    }
    await send('/more', { method: 'PUT', body: { mappings: { properties } } })
    await send('/more/_doc/m', { method: 'PUT', body: { '@timestamp': secondsIn(50), other: 'there', pid: 10 } })
  })

  it.each([
    ['pid == 10', 'a,m'],
    ['pid + 1 == 11', 'a,m'],
    ['length(other) > 2', 'm'],
    ['length(name) > 3 or other == "there"', 'a,b,c,m'],
    ['load > 1 or length(name) > 3', 'a,b,c'],
    ['length(name) == null', 'd,m'],
    ['not length(name) > 3', 'e'],
  ])('finds by a field that one of them lacks: %s', async (condition, ids) => {
    expect(await both(condition)).toBe(ids)
  })

  it('refuses a field that they map otherwise', async () => {
    expect(await both('text == "x"')).toBe(
      'Found 1 problem\nline 1:11: Cannot use field [text] due to ambiguities being mapped as [2] incompatible types: [text] in [events], [keyword] in [more]',
    )
  })
})
