import { expect, it } from 'vitest'
import type { LeafPlan } from './document-shapes.ts'
import { DocumentShapes, type ShapeStep } from './document-shapes.ts'

const leaf = (): LeafPlan => ({ kind: 'leaf', parts: [], isTime: false, isCut: false, seen: 0, valued: 0 })

/** The steps of a document whose values are all 1, which stands nowhere else. */
function stepsOf(text: string, leaves: readonly LeafPlan[]): ShapeStep[] {
  let from = 0
  const steps = leaves.map((one) => {
    const to = text.indexOf('1', from)
    const step = { from, to, leaf: one }
    from = to + 1
    return step
  })
  return [...steps, { from, to: text.length, leaf: undefined }]
}

/** The leaves a document is read into; undefined where it looks like none before. */
function follow(shapes: DocumentShapes, text: string): LeafPlan[] | undefined {
  const bytes = Buffer.from(text)
  const leaves: LeafPlan[] = []
  let at = 0
  for (let step = shapes.step(undefined, bytes, 0); step !== undefined; step = shapes.step(step, bytes, at)) {
    at += step.to - step.from
    if (step.leaf === undefined) return at === bytes.length ? leaves : undefined
    leaves.push(step.leaf)
    at += 1
  }
  return undefined
}

it('knows the documents that look like one before, to the last byte', () => {
  const shapes = new DocumentShapes()
  expect(shapes.isWorthIt).toBe(false)
  const [a, b, c] = [leaf(), leaf(), leaf()]
  const note = (text: string, ...leaves: LeafPlan[]) => shapes.note(Buffer.from(text), stepsOf(text, leaves))
  note('{"a":1,"b":1}', a, b)
  note('{"a":1,"c":1}', a, c)
  note('{"c":1}', c)
  expect(shapes.isWorthIt).toBe(true)
  expect(follow(shapes, '{"a":1,"b":1}')).toEqual([a, b])
  expect(follow(shapes, '{"a":2,"c":3}')).toEqual([a, c])
  expect(follow(shapes, '{"c":1}')).toEqual([c])
  // Parts of known documents put together otherwise, spaces, and what goes on after the end.
  for (const text of [
    '{"a":1}',
    '{"c":1,"b":1}',
    '{"a":1, "b":1}',
    '{"a":1,"b":1}}',
    '{"a":1,"b":1,"c":1}',
    '{"a":1,"b":1',
  ])
    expect([text, follow(shapes, text)]).toEqual([text, undefined])
})

it('rests where most documents have shapes of their own, and begins anew', () => {
  const shapes = new DocumentShapes()
  const note = () => shapes.note(Buffer.from('{"a":1}'), stepsOf('{"a":1}', [leaf()]))
  note()
  for (let at = 0; at < 8; at += 1) shapes.miss()
  for (let at = 0; at < 64; at += 1) shapes.hit()
  expect(shapes.isWorthIt).toBe(true)
  for (let at = 0; at < 16; at += 1) shapes.miss()
  expect([shapes.isWorthIt, shapes.isOpen]).toEqual([false, false])
  for (let at = 0; at < 3000; at += 1) expect(shapes.isWorthIt).toBe(false)
  expect(shapes.isOpen).toBe(true)
  note()
  expect(shapes.isWorthIt).toBe(true)
})

it('takes no more than it has room for', () => {
  const shapes = new DocumentShapes()
  const leaves = [leaf(), leaf(), leaf(), leaf()]
  let noted = 0
  for (; shapes.isOpen && noted < 5000; noted += 1) {
    const [first, second, third] = [noted % 12, Math.floor(noted / 12) % 12, Math.floor(noted / 144)]
    const text = `{"a${first}":1,"b${second}":1,"c${third % 12}":1,"d${third}":1}`
    shapes.note(Buffer.from(text), stepsOf(text, leaves))
  }
  expect(noted).toBeLessThan(5000)
  const long = `{"${'x'.repeat(70_000)}":1}`
  const other = new DocumentShapes()
  other.note(Buffer.from(long), stepsOf(long, [leaf()]))
  expect([other.isWorthIt, follow(other, long)]).toEqual([false, undefined])
})
