import { describe, expect, it } from 'vitest'
import { readContainer } from './container.ts'
import { memoryOf, parseSize, renderSize, withHeap, withLimit } from './memory.ts'
import { parseUnitFile } from './unit-file.ts'

const head = '[Container]\nContainerName=logstack-search\nImage=i\nExec=node x\n'
const read = (text: string) => memoryOf(readContainer(parseUnitFile(text, 'f')))

describe('sizes', () => {
  it.each([
    ['8gb', 8 * 1024 ** 3],
    ['8g', 8 * 1024 ** 3],
    ['512M', 512 * 1024 ** 2],
    ['100', 100],
  ])('%s is %d bytes', (text, bytes) => expect(parseSize(text)).toBe(bytes))
  it.each(['', 'much', '-1g', '1.5g', '8 gigs'])('[%s] is no size', (text) => expect(parseSize(text)).toBeUndefined())
  it('are written in the largest unit that fits', () => {
    expect([renderSize(8 * 1024 ** 3), renderSize(1536 * 1024 ** 2), renderSize(1)]).toEqual(['8gb', '1536mb', '1b'])
  })
})

describe('the heap of a definition', () => {
  const quoted = `${head}Environment="ES_JAVA_OPTS=-Xms64g -Xmx64g"\n\n[Service]\nRestart=always\n`
  it('takes the place of the commented line, of a line set by hand, quoted or not, and of no line', () => {
    expect(withHeap(`${head}#Environment="ES_JAVA_OPTS=-Xms4g -Xmx4g"\n\n[Service]\nRestart=always\n`, '64g')).toBe(
      quoted,
    )
    expect(withHeap(`${head}Environment=ES_JAVA_OPTS=-Xms2g -Xmx2g\n\n[Service]\nRestart=always\n`, '64g')).toBe(quoted)
    expect(withHeap(`${head}\n[Service]\nRestart=always\n`, '64g')).toBe(quoted)
    expect(withHeap(quoted, '64g')).toBe(quoted)
  })
  it('leaves other options alone and goes back to the default', () => {
    const text = withHeap(`${head}Environment="ES_JAVA_OPTS=-Xmx2g -Dx=y"\n`, '3g')
    expect(read(text).javaOptions).toBe('-Xms3g -Xmx3g -Dx=y')
    expect(read(withHeap(text, undefined)).javaOptions).toBe('-Dx=y')
    expect(read(withHeap(quoted, undefined)).javaOptions).toBeUndefined()
    expect(withHeap(quoted, undefined)).toContain('#Environment="ES_JAVA_OPTS=')
  })
})

describe('the limit of a definition', () => {
  it('is added, replaced in either form, and removed', () => {
    const text = `${head}PodmanArgs=--network-alias a --health-interval=2s\n`
    const limited = withLimit(text, '8gb')
    expect(limited).toBe(`${head}PodmanArgs=--memory 8gb --network-alias a --health-interval=2s\n`)
    expect(withLimit(limited, '4gb')).toBe(limited.replace('8gb', '4gb'))
    expect(withLimit(limited.replace('--memory 8gb', '--memory=8gb'), '4gb')).toBe(limited.replace('8gb', '4gb'))
    expect(withLimit(limited, undefined)).toBe(text)
    expect(read(limited).limit).toBe('8gb')
  })
  it('works without other arguments', () => {
    const limited = withLimit(`${head}\n[Service]\nRestart=always\n`, '8gb')
    expect(limited).toBe(`${head}PodmanArgs=--memory 8gb\n\n[Service]\nRestart=always\n`)
    expect(withLimit(limited, undefined)).toBe(`${head}\n[Service]\nRestart=always\n`)
  })
})
