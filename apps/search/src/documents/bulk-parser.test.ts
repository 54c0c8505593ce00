import { AppError } from '@logstack/errors'
import { describe, expect, it } from 'vitest'
import { parseBulk } from './bulk-parser.ts'

const script = (): void => undefined
const parse = (body: string, index?: string): ReturnType<typeof parseBulk> =>
  parseBulk(Buffer.from(body), { compileScript: () => script, ...(index === undefined ? {} : { index }) })

function failure(body: string): [code: string, message: string] {
  try {
    parse(body)
  } catch (thrown) {
    if (thrown instanceof AppError) return [thrown.code, thrown.message]
    throw thrown
  }
  return ['no error', '']
}

describe('actions', () => {
  it('reads every action with its metadata, and keeps the bytes of a source', () => {
    const operations = parse(
      '{"index":{"_index":"a","_id":1}}\n{"x": 1.0}\r\n{"create":{"_index":"b","routing":"r","pipeline":"p"}}\n{}\n' +
        '{"delete":{"_index":"a","_id":"2","if_seq_no":3,"if_primary_term":1}}\n' +
        '{"update":{"_index":"a","_id":"3","retry_on_conflict":2,"version_type":"external"}}\n{"doc":{"y":2},"doc_as_upsert":true}\n',
    )
    expect(operations).toEqual([
      { action: 'index', index: 'a', id: '1', source: Buffer.from('{"x": 1.0}') },
      { action: 'create', index: 'b', routing: 'r', pipeline: 'p', source: Buffer.from('{}') },
      { action: 'delete', index: 'a', id: '2', ifSeqNo: 3, ifPrimaryTerm: 1 },
      {
        action: 'update',
        index: 'a',
        id: '3',
        versionType: 'external',
        update: { doc: { y: 2 }, docAsUpsert: true, retryOnConflict: 2 },
      },
    ])
  })

  it('shares the memory of the body', () => {
    const body = Buffer.from('{"index":{"_index":"a"}}\n{"x":1}\n')
    const [operation] = parseBulk(body, { compileScript: () => script })
    body.write('9', body.lastIndexOf('1'))
    expect(String(operation?.source)).toBe('{"x":9}')
  })

  it('takes what real clients send: blank lines, null metadata, types, keys beside the action, defaults of the path', () => {
    const operations = parse(
      '\n{"index":{"_id":null,"_index":"logs","routing":null,"_type":"_doc","_parent":"x"}}\n{"a":1}\n\r\n \n{"create":{},"attempts":0}\n{"a":2}\n\n',
      'fallback',
    )
    expect(operations.map(({ action, index, id, source }) => [action, index, id, String(source)])).toEqual([
      ['index', 'logs', undefined, '{"a":1}'],
      ['create', 'fallback', undefined, '{"a":2}'],
    ])
  })

  it('reads op_type, numbers written as text, scripts and upserts', () => {
    const [created, updated] = parse(
      '{"index":{"_index":"a","op_type":"create","if_seq_no":"7"}}\n{}\n{"update":{"_index":"a","_id":"1"}}\n{"script":"x","upsert":{"n":1},"scripted_upsert":true}\n',
    )
    expect(created).toMatchObject({ action: 'create', ifSeqNo: 7 })
    expect(updated?.update).toEqual({ script, upsert: { n: 1 }, scriptedUpsert: true })
  })
})

describe('an action whose last brace is missing', () => {
  it('is taken, as Elasticsearch 8 takes it, and what an update brings is not', () => {
    expect(parse('{"index":{"_index":"a","_id":"1"}\n{"n":1}\n')).toMatchObject([
      { action: 'index', index: 'a', id: '1' },
    ])
    expect(failure('{"update":{"_index":"a","_id":"1"}}\n{"doc":{"n":1}\n')[0]).toBe('x_content_e_o_f_exception')
  })
})

describe('faults of the whole request', () => {
  it.each([
    ['', 'parse_exception', 'request body is required'],
    ['{"index":{}}\n{}', 'illegal_argument_exception', 'The bulk request must be terminated by a newline [\\n]'],
    ['\n\n', 'action_request_validation_exception', 'Validation Failed: 1: no requests added;'],
    [
      '{"index":{"_index":"a","_foo":1}}\n{}\n',
      'illegal_argument_exception',
      'Action/metadata line [1] contains an unknown parameter [_foo]',
    ],
    [
      '{"delete":{"_index":"a","_id":"1"}}\n{"__proto__":{}}\n',
      'illegal_argument_exception',
      'Malformed action/metadata line [2], expected field [create], [delete], [index] or [update] but found [__proto__]',
    ],
    [
      '[1]\n',
      'illegal_argument_exception',
      'Malformed action/metadata line [1], expected START_OBJECT but found [START_ARRAY]',
    ],
    [
      '{"index":{"_index":{"toString":"a"}}}\n{}\n',
      'illegal_argument_exception',
      'Malformed action/metadata line [1], expected a simple value for field [_index] but found [START_OBJECT]',
    ],
    [
      '{"update":{"_index":"a","_id":"1"}}\n{"doc_as_upsert":{"toString":1}}\n',
      'illegal_argument_exception',
      'Failed to parse value [START_OBJECT] of [doc_as_upsert] as only [true] or [false] are allowed.',
    ],
    ['{"index":{}}\n{}\n', 'action_request_validation_exception', 'Validation Failed: 1: index is missing;'],
    ['{"delete":{"_index":"a"}}\n', 'action_request_validation_exception', 'Validation Failed: 1: id is missing;'],
    ['{"index":{"_index":"a"}}\n', 'action_request_validation_exception', 'Validation Failed: 1: no requests added;'],
    [
      '{"delete":{"_index":"a","_id":"1"}}\n{"index":{"_index":"a"}}\n',
      'action_request_validation_exception',
      'Validation Failed: 1: source is missing;',
    ],
    [
      '{"create":{"_index":"a","_id":"1","version":1}}\n{}\n',
      'action_request_validation_exception',
      'Validation Failed: 1: create operations do not support explicit versions. use index instead;',
    ],
    ['{"index":\n{}\n', 'x_content_e_o_f_exception', '[1:10] Unexpected end of file'],
    [
      '{"update":{"_index":"a","_id":"1"}}\n{"docs":{}}\n',
      'x_content_parse_exception',
      '[UpdateRequest] unknown field [docs] did you mean [doc]?',
    ],
    [
      '{"update":{"_index":"a","_id":"1"}}\n{}\n',
      'action_request_validation_exception',
      'Validation Failed: 1: script or doc is missing;',
    ],
  ])('%j', (body, code, message) => {
    expect(failure(body)).toEqual([code, message])
  })
})
