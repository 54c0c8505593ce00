import { describe, expect, it } from 'vitest'
import { sampleEvents } from './sample-events.fixture.ts'

const { eql } = sampleEvents()

/** Asks a query that is refused, and answers its error. */
async function refused(query: string) {
  const { status, body } = await eql(query)
  expect(status).toBe(400)
  return body.error
}

describe('what is wrong', () => {
  const problem = (text: string) => `Found 1 problem\nline ${text}`
  it.each([
    ['any where x == 1', problem('1:11: Unknown column [x]')],
    ['any where nme == "x"', problem('1:11: Unknown column [nme], did you mean [name]?')],
    [
      'any where true and\n  (nme == "x" or x == 1)',
      'Found 2 problems\nline 2:4: Unknown column [nme], did you mean [name]?\nline 2:18: Unknown column [x]',
    ],
    [
      'any where words == "x"',
      expect.stringContaining(
        'Cannot use field [words] of type [text]: No keyword/multi-field defined exact matches for [words]',
      ),
    ],
    ['any where parts.n == 1', expect.stringContaining('Cannot use field [parts.n] under nested field [parts]')],
    ['any where event == "x"', problem('1:11: Cannot use field [event] type [object] only its subfields')],
    ['any where place == 1', problem('1:11: Cannot use field [place] with unsupported type [geo_point]')],
    [
      'any where pid == "x"',
      problem('1:11: first argument of [pid == "x"] must be [string], found value [pid] type [numeric]'),
    ],
    ['any where name > 5', expect.stringContaining('must be [numeric]')],
    [
      'any where length(pid) == 2',
      problem('1:11: first argument of [length(pid)] must be [string], found value [pid] type [numeric]'),
    ],
    ['any where lngth(name) == 1', problem('1:11: Unknown function [lngth], did you mean [length]?')],
    ['any where length(name, 2) == 3', problem('1:11: error building [length]: expects exactly 1 argument, found [2]')],
    ['any where string(when) == "x"', problem('1:18: Dates cannot be made texts: [when]')],
    ['any where length~(name) == 3', problem('1:11: Function [length] has no case-insensitive form [length~]')],
    ['any where cidrMatch(name, "10.0.0.0/8")', expect.stringContaining('must be [ip]')],
    ['any where name', problem('1:11: Condition expression needs to be boolean, found [string]')],
    ['any where "mimikatz"', expect.stringContaining('Condition expression needs to be boolean')],
    [
      'sequence [any where true] by pid [any where true] by name',
      problem('1:54: Sequence key [name] type [string] is incompatible with key [pid] type [number]'),
    ],
  ])('is said: %s', async (query, reason) => {
    expect(await refused(query)).toMatchObject({ type: 'verification_exception', reason })
  })
})

describe('what cannot be read', () => {
  it.each([
    ['any whre true', "line 1:5: mismatched input 'whre' expecting 'where'"],
    ['any where', expect.stringContaining("line 1:10: mismatched input '<EOF>' expecting {")],
    ['any where name = 5', "line 1:16: mismatched input '=' expecting <EOF>"],
    ["any where name == 'x'", 'line 1:19: Use double quotes ["] to define string literals, not single quotes [\']'],
    ['any where name == "x', "line 1:19: token recognition error at: '\"x'"],
    ['any where name == "\\q"', "line 1:20: token recognition error at: '\\q'"],
    ['any where true | count', 'line 1:18: Unsupported pipe [count]; there are [head, tail]'],
    ['sequence [any where true]', 'line 1:1: A sequence requires a minimum of 2 queries, found [1]'],
    [
      'sequence with maxspan=5 [any where true] [any where true]',
      'line 1:23: No time unit specified, did you mean [s] as in [5s]?',
    ],
    [
      'sequence [any where true] ![any where true]',
      'line 1:27: [maxspan] is required for sequences with missing events queries; found none',
    ],
    [
      'sequence by pid [any where true] [any where true] by name',
      'line 1:34: Inconsistent number of join keys specified; expected [1] but found [2]',
    ],
    ['sample [any where true] [any where true]', 'line 1:1: A sample must have at least one join key, found none'],
  ])('is said: %s', async (query, reason) => {
    expect(await refused(query)).toMatchObject({ type: 'parsing_exception', reason })
  })
})

describe('what is wrong with a request', () => {
  it('is said of the fields that events must have', async () => {
    expect((await eql('any where true', { timestamp_field: 'time' })).body.error?.reason).toBe(
      'Found 1 problem\nline -1:-1: Unknown column [time]',
    )
    expect((await eql('x where true', { event_category_field: 'event.cat' })).body.error?.reason).toBe(
      'Found 1 problem\nline 1:1: Unknown column [event.cat], did you mean [event.category]?',
    )
    expect((await eql('any where true', { tiebreaker_field: 'nme' })).body.error?.reason).toContain(
      'Unknown column [nme]',
    )
  })

  it.each([
    [{ query: undefined }, 'illegal_argument_exception'],
    [{ query: 5 }, 'parsing_exception'],
    [{ sise: 1 }, 'parsing_exception'],
    [{ size: -1 }, 'illegal_argument_exception'],
    [{ fetch_size: 1 }, 'illegal_argument_exception'],
    [{ fetch_size: 10_001 }, 'illegal_argument_exception'],
    [{ result_position: 'middle' }, 'parsing_exception'],
    [{ case_sensitive: false }, 'illegal_argument_exception'],
    [{ filter: { nonsense: {} } }, 'x_content_parse_exception'],
    [{ keep_alive: '1s' }, 'action_request_validation_exception'],
  ])('is said of a body: %j', async (more, type) => {
    expect(await eql('any where true', more)).toMatchObject({ status: 400, body: { error: { type } } })
  })
})
