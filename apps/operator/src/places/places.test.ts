import { describe, expect, it } from 'vitest'
import { embeddedPaths, hostPaths, leafFilesOf } from './paths.ts'
import { embeddedPorts, hostPorts } from './ports.ts'
import { isNewer } from './product-version.ts'

describe('paths', () => {
  it('of the host are those of the interface', () => {
    const paths = hostPaths('/opt/logstack-install')
    expect(paths).toMatchObject({
      caFile: '/opt/logstack/Chapter 3 Files/certs/root-ca.crt',
      environmentFile: '/opt/logstack/logstack-environment.env',
      vaultDir: '/etc/logstack/vault',
      quadletDir: '/etc/containers/systemd',
      markers: {
        'agent-server': '/opt/logstack/FLEET_SETUP_FINISHED',
        'search-dashboards': '/opt/logstack/dashboards/search/INSTALLED',
        'endpoint-dashboards': '/opt/logstack/dashboards/endpoint/INSTALLED',
      },
    })
    expect(leafFilesOf(paths, 'search').cert).toBe(
      '/var/lib/containers/storage/volumes/logstack_certs/_data/search.crt',
    )
    expect(paths.at('/opt/logstack')).toBe('/opt/logstack')
  })

  it('of an embedded stack are the same tree under its data directory', () => {
    const paths = embeddedPaths('/home/me/data', '/src/logstack')
    expect(paths.caFile).toBe('/home/me/data/opt/logstack/Chapter 3 Files/certs/root-ca.crt')
    expect(paths.vaultDir).toBe('/home/me/data/etc/logstack/vault')
    expect(paths.quadletDir).toBe('/src/logstack/quadlet')
    expect(paths.volume('logstack_certs')).toBe('/home/me/data/var/lib/logstack/volumes/logstack_certs')
  })
})

describe('ports', () => {
  it('of the host are those of the definitions', () => {
    expect([9200, 514].map(hostPorts.of)).toEqual([9200, 514])
  })

  it('of an embedded stack are moved, those that need root out of its reach', () => {
    const ports = embeddedPorts({ offset: 700, ipvar: '127.0.0.1' })
    expect([9200, 514].map(ports.of)).toEqual([9900, 6214])
  })

  it.each([
    ['', '127.0.0.1'],
    ['127.0.0.1', '127.0.0.1'],
    ['localhost', '127.0.0.1'],
    ['192.0.2.1', '0.0.0.0'],
  ])('for the address %s listen on %s', (ipvar, listenHost) => {
    expect(embeddedPorts({ offset: 0, ipvar }).listenHost).toBe(listenHost)
  })
})

describe('a version', () => {
  it.each([
    ['0.2.0', '0.1.9', true],
    ['1.0.0', '0.9.9', true],
    ['0.1.10', '0.1.9', true],
    ['0.2.0-rc.1', '0.1.0+build.7', true],
    ['0.1.0', '0.1.0', false],
    ['0.1.0', '0.2.0', false],
    ['1.0.0', '2.0.0-rc.1', false],
  ])('%s is newer than %s: %s', (version, than, expected) => {
    expect(isNewer(version, than)).toBe(expected)
  })
})
