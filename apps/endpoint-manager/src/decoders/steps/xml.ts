import { z } from 'zod'
import { defineStep, type Values, valuesMax } from './step.ts'

const depthMax = 32
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decode(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(#x[0-9A-Fa-f]{1,6}|#\d{1,7}|\w{2,4});/g, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name] ?? whole
    const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

interface Open {
  /** As in the closing tag. */
  readonly tag: string
  readonly path: string
  text: string
  /** How many elements within go by a name of their own but have none. */
  nameless: number
}

function attributesOf(text: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const pair of text.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    if (found.size < valuesMax) found.set(pair[1] ?? '', decode(pair[2] ?? pair[3] ?? ''))
  }
  return found
}

/** Reads well-formed XML without declarations of its own: no entities, no includes. False for anything else. */
function readXml(text: string, named: string | undefined, values: Values): boolean {
  const stack: Open[] = []
  let at = text.indexOf('<')
  for (let tags = 0; at >= 0 && tags < 2 * valuesMax; tags += 1) {
    const end = text.indexOf('>', at)
    if (end < 0) return false
    const tag = text.slice(at + 1, end)
    const isInstruction = tag.startsWith('?')
    const isFine = isInstruction || (tag.startsWith('/') ? close(tag, stack, values) : open(tag, named, stack, values))
    if (!isFine) return false
    if (stack.length === 0 && !isInstruction) return true
    const next = text.indexOf('<', end)
    const top = stack.at(-1)
    if (top) top.text += text.slice(end + 1, next < 0 ? text.length : next)
    at = next
  }
  return false
}

/** Ends the innermost element and keeps its text; false when it is another one's end. */
function close(tag: string, stack: Open[], values: Values): boolean {
  const closed = stack.pop()
  if (closed?.tag !== tag.slice(1).trim()) return false
  const content = closed.text.trim()
  if (content !== '') values.set(closed.path, decode(content))
  return true
}

function open(tag: string, named: string | undefined, stack: Open[], values: Values): boolean {
  const isEmpty = tag.endsWith('/')
  const name = /^[\w:.-]+/.exec(tag)?.[0]
  if (name === undefined || stack.length >= depthMax) return false
  const attributes = attributesOf(tag.slice(name.length))
  const parent = stack.at(-1)
  const own = name === named ? ownName(attributes, parent) : undefined
  const path = [...(parent === undefined ? [] : [parent.path]), own ?? name].join('.')
  for (const [attribute, value] of attributes) {
    if (value !== '' && attribute !== 'xmlns' && own === undefined) values.set(`${path}@${attribute}`, value)
  }
  if (!isEmpty) stack.push({ tag: name, path, text: '', nameless: 0 })
  return true
}

/** Events of old programs list their data without names: they are `param1`, `param2`, as Windows counts them. */
function ownName(attributes: ReadonlyMap<string, string>, parent: Open | undefined): string | undefined {
  const name = attributes.get('Name')
  if (name !== undefined || parent === undefined) return name
  parent.nameless += 1
  return `param${parent.nameless}`
}

/**
 * `xml`: one element; texts are values by path, `Event.System.EventID`, attributes `Event.System.Provider@Name`. With `named: Data` elements
 * called so go by their attribute `Name`: `<Data Name="User">` is `….User`, the second without one `….param2`. Documents with declarations (entities) are refused.
 */
export const xmlStep = defineStep({
  name: 'xml',
  options: z.strictObject({ named: z.string().optional() }),
  compile({ named }) {
    return (text, values) => readXml(text, named, values)
  },
})
