import { expect, it } from 'vitest'
import { convertible } from './convertible.ts'

const read = (text: string): unknown => convertible(JSON.parse(text), text)

it.each(['{"toString":7}', '{"valueOf":"x","toString":{}}', '{"a":[{"toString":null}]}', '{"to\\u0053tring":1}'])(
  'an object with members of its own for it is converted like any other: %s',
  (text) => {
    const value = read(text)
    expect([String(value), `${value}`, Number(value)]).toEqual(['[object Object]', '[object Object]', Number.NaN])
    expect(String(Object.values(Object(value)))).not.toBe('')
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)))
    expect(value).toEqual(JSON.parse(text))
  },
)
