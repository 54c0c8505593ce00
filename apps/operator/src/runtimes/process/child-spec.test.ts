import { describe, expect, it } from 'vitest'
import { embeddedPaths } from '../../places/paths.ts'
import { embeddedPorts } from '../../places/ports.ts'
import { readContainer } from '../../quadlet/container.ts'
import { parseUnitFile } from '../../quadlet/unit-file.ts'
import { restartDelayMs } from './child.ts'
import { childSpecOf } from './child-spec.ts'

const paths = embeddedPaths('/home/me/data', '/src/logstack')
const places = (ipvar = '', offset = 700) => ({
  paths,
  ports: embeddedPorts({ offset, ipvar }),
  secretsDir: '/dev/shm/logstack-x/logstack-p',
})
const translate = (lines: string, ...given: Parameters<typeof places>) =>
  childSpecOf(
    readContainer(
      parseUnitFile(
        `[Container]\nContainerName=logstack-p\nImage=i\nExec=node /usr/lib/logstack/p.mjs --x\nVolume=logstack_certs:/certs:ro\nVolume=/opt/logstack/config:/etc/logstack/config:ro\n${lines}`,
        'p.container',
      ),
    ),
    places(...given),
  )

describe('translation of a definition into a process', () => {
  it.each([
    ['/certs/root-ca.crt', '/home/me/data/var/lib/logstack/volumes/logstack_certs/root-ca.crt'],
    ['/certs', '/home/me/data/var/lib/logstack/volumes/logstack_certs'],
    ['/certsx', '/certsx'],
    ['/etc/logstack/config/p.yml', '/home/me/data/opt/logstack/config/p.yml'],
    ['/run/secrets', '/dev/shm/logstack-x/logstack-p'],
    ['/run/logstack/ready', '/home/me/data/run/logstack-p/ready'],
    ['/usr/lib/logstack/web', '/src/logstack/dist/web'],
    ['0.0.0.0:9200', '127.0.0.1:9900'],
    ['0.0.0.0:514', '127.0.0.1:6214'],
    ['https://logstack-search:9200', 'https://127.0.0.1:9900'],
    ['https://logstack-search:9200/path', 'https://127.0.0.1:9900/path'],
    ['https://es.example.org:9200', 'https://es.example.org:9200'],
    ['plain', 'plain'],
  ])('%s becomes %s', (container, here) => {
    expect(translate(`Environment=V=${container}`).env['V']).toBe(here)
  })

  it('runs node programs of the checkout, and listens for others when it has an address for them', () => {
    expect(translate('').argv).toEqual([process.execPath, '/src/logstack/dist/p.mjs', '--x'])
    expect(translate('Environment=L=0.0.0.0:1514', '192.0.2.1', 0).env['L']).toBe('0.0.0.0:1514')
  })

  it('hands on a few variables of its own environment and no others', () => {
    process.env['SECRET_OF_THE_CALLER'] = 'x'
    const { env } = translate('')
    delete process.env['SECRET_OF_THE_CALLER']
    expect(env['PATH']).toBe(process.env['PATH'])
    expect(env).not.toHaveProperty('SECRET_OF_THE_CALLER')
  })

  it('hands on settings of the parts, but the definition wins', () => {
    process.env['LOGSTACK_ALERTER_WEBHOOK_URL'] = 'https://example.org/hook'
    process.env['LOGSTACK_SEARCH_URL'] = 'https://elsewhere:9200'
    const { env } = translate('Environment=LOGSTACK_SEARCH_URL=https://logstack-search:9200')
    delete process.env['LOGSTACK_ALERTER_WEBHOOK_URL']
    delete process.env['LOGSTACK_SEARCH_URL']
    expect(env['LOGSTACK_ALERTER_WEBHOOK_URL']).toBe('https://example.org/hook')
    expect(env['LOGSTACK_SEARCH_URL']).toBe('https://127.0.0.1:9900')
  })

  it('makes a probe of the health command, and refuses another program', () => {
    const probe = translate(
      'HealthCmd=logstack-health https://127.0.0.1:9200/_logstack/health\nPodmanArgs=--health-interval=2s',
    ).health
    expect(probe).toMatchObject({ url: 'https://127.0.0.1:9900/_logstack/health', intervalMs: 2000 })
    const noted = translate('Environment=LOGSTACK_HEARTBEAT_FILE=/run/logstack/heartbeat')
    expect(noted.env).not.toHaveProperty('LOGSTACK_HEARTBEAT_FILE')
    expect(() => translate('HealthCmd=curl -k https://127.0.0.1:9200')).toThrow('p.container: HealthCmd=curl')
  })
})

describe('delay before a restart', () => {
  it('grows from first to max and stays there', () => {
    const policy = { firstMs: 500, maxMs: 30_000, steps: 8 }
    const delays = Array.from({ length: 12 }, (_, number) => restartDelayMs(policy, number))
    expect(delays[0]).toBe(500)
    expect(delays[1]).toBeLessThan(1_000)
    expect(delays.slice(8)).toEqual([30_000, 30_000, 30_000, 30_000])
    expect([...delays].sort((a, b) => a - b)).toEqual(delays)
  })

  it('is constant without steps', () => {
    expect(restartDelayMs({ firstMs: 100, maxMs: 100, steps: 0 }, 5)).toBe(100)
  })
})
