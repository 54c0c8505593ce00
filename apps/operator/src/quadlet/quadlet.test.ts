import { describe, expect, it } from 'vitest'
import { readContainer } from './container.ts'
import { parseEnvironmentFile, setInEnvironmentFile } from './environment-file.ts'
import { mergeUnitFiles, parseUnitFile } from './unit-file.ts'
import { parseSpanMs, splitWords } from './words.ts'

const minimal = '[Container]\nContainerName=logstack-x\nImage=i\nExec=node /usr/lib/logstack/x.mjs\n'
const read = (extra: string) => readContainer(parseUnitFile(`${minimal}${extra}`, 'x.container'))

describe('words', () => {
  it.each([
    [`A=1 B=2`, ['A=1', 'B=2']],
    [`"A=one two" 'B=three "four"'`, ['A=one two', 'B=three "four"']],
    [`A="in the middle" B=`, ['A=in the middle', 'B=']],
    [`back\\\\slash tab\\there`, ['back\\slash', 'tab\there']],
    [`''`, ['']],
    [`  `, []],
  ])('splits %s as systemd does', (text, words) => {
    expect(splitWords(text)).toEqual(words)
  })

  it('knows a quote that stays open', () => {
    expect(splitWords('"A=1')).toBeUndefined()
  })

  it.each([
    ['2s', 2000],
    ['500ms', 500],
    ['10m', 600_000],
    ['900', 900_000],
    ['1min 30s', 90_000],
    ['2 weeks', undefined],
    ['soon', undefined],
  ])('reads the span %s', (text, ms) => {
    expect(parseSpanMs(text)).toBe(ms)
  })
})

describe('unit file', () => {
  it('joins continued lines, skips comments between them, keeps line numbers', () => {
    const unit = parseUnitFile('# top\n[Unit]\nAfter=a \\\n; between\n  b\nWants=c\n', 'f')
    expect(unit.assignments).toEqual([
      { section: 'Unit', key: 'After', value: 'a  b', file: 'f', line: 3 },
      { section: 'Unit', key: 'Wants', value: 'c', file: 'f', line: 6 },
    ])
  })

  it.each([
    ['[Unit]\nnonsense', 'f:2'],
    ['A=1', 'f:1'],
    ['[Unit]\nA b=1', 'f:2'],
  ])('names the line of what is no unit file', (text, where) => {
    expect(() => parseUnitFile(text, 'f')).toThrow(where)
  })
})

describe('container', () => {
  it('reads ports, volumes, secrets and the health check', () => {
    const definition = read(`PublishPort=9200:9200
PublishPort=[::1]:514:1514/udp
Volume=logstack_certs:/certs:ro
Volume=/opt/logstack/config:/etc/logstack/config
User=7003
Group=7001
PodmanArgs=--network-alias logstack-x --health-interval=2s
HealthCmd=logstack-health https://127.0.0.1:9200/
HealthStartPeriod=10m
[Service]
RestartSec=500ms
RestartSteps=8
RestartMaxDelaySec=30s
[X-Logstack]
Secret=elastic
`)
    expect(definition.ports).toEqual([
      { hostPort: 9200, containerPort: 9200, protocol: 'tcp' },
      { hostPort: 514, containerPort: 1514, protocol: 'udp' },
    ])
    expect(definition.volumes[0]).toEqual({ source: 'logstack_certs', target: '/certs', options: ['ro'] })
    expect(definition.secrets).toEqual(['elastic'])
    expect(definition.user).toEqual({ uid: 7003, gid: 7001 })
    expect(definition.health).toMatchObject({ intervalMs: 2000, retries: 3, startPeriodMs: 600_000 })
    expect(definition.restart).toEqual({ firstMs: 500, maxMs: 30_000, steps: 8 })
  })

  it('drops the second word of an unquoted heap setting and keeps the quoted one, as quadlet does', () => {
    expect(read('Environment=ES_JAVA_OPTS=-Xms64g -Xmx64g').environment).toEqual({ ES_JAVA_OPTS: '-Xms64g' })
    expect(read('Environment="ES_JAVA_OPTS=-Xms64g -Xmx64g"').environment).toEqual({
      ES_JAVA_OPTS: '-Xms64g -Xmx64g',
    })
  })

  it('lets a drop-in add, override and empty', () => {
    const base = parseUnitFile(`${minimal}Environment=A=1 B=2\n[X-Logstack]\nSecret=elastic\n`, 'x.container')
    const dropIn = parseUnitFile(
      '[X-Logstack]\nSecret=\nSecret=alice\n[Container]\nEnvironment=A=3\nImage=j\n',
      '10.conf',
    )
    const definition = readContainer(mergeUnitFiles(base, [dropIn]))
    expect(definition).toMatchObject({ secrets: ['alice'], environment: { A: '3', B: '2' }, image: 'j' })
  })

  it.each([
    ['PublishPort=9200', 'x.container:5: PublishPort=9200 is not'],
    ['Volume=/a', 'x.container:5: Volume=/a is not'],
    ['StopTimeout=long', 'x.container:5: StopTimeout=long is not a time span'],
    ['Environment="A', 'x.container:5: Environment: a quote'],
    ['User=logstack', 'x.container:5: User=logstack is not a number'],
  ])('says which line is wrong: %s', (line, message) => {
    expect(() => read(line)).toThrow(message)
  })

  it('says what is missing', () => {
    expect(() => readContainer(parseUnitFile('[Container]\nImage=i\n', 'x.container'))).toThrow('no ContainerName=')
  })
})

describe('environment file', () => {
  it('takes values to the end of the line, as podman does', () => {
    expect(parseEnvironmentFile('# c\nIPVAR=192.0.2.1 \nA="x"\n\nB=a=b\nnothing\n')).toEqual({
      IPVAR: '192.0.2.1',
      A: '"x"',
      B: 'a=b',
    })
  })

  it('sets names in place and keeps the rest', () => {
    expect(setInEnvironmentFile('# mine\nIPVAR=1\nX=y\n', { IPVAR: '2', NEW: 'n', X: undefined })).toBe(
      '# mine\nIPVAR=2\nNEW=n\n',
    )
    expect(setInEnvironmentFile('', { A: '1' })).toBe('A=1\n')
  })
})
