import { describe, expect, it } from 'vitest'
import { endpointHosts, fleetServerUrl } from './addresses.ts'

const inside = {
  ipvar: '192.0.2.7',
  listen: { host: '0.0.0.0', port: 8220 },
  endpointManagerUrl: 'https://logstack-endpoint-manager:1514',
}

describe('addresses handed to agents', () => {
  it('are those of IPVAR', () => {
    expect(fleetServerUrl(inside)).toBe('https://192.0.2.7:8220')
    expect(endpointHosts(inside)).toEqual(['https://192.0.2.7:1514'])
  })

  it('keep their moved ports', () => {
    const moved = {
      ipvar: '2001:db8::1',
      listen: { host: '127.0.0.1', port: 9220 },
      endpointManagerUrl: 'https://127.0.0.1:2514',
    }
    expect(fleetServerUrl(moved)).toBe('https://[2001:db8::1]:9220')
    expect(endpointHosts(moved)).toEqual(['https://[2001:db8::1]:2514'])
  })

  it('are loopback in a stack that listens there', () => {
    const local = { ipvar: '', listen: { host: '127.0.0.1', port: 8220 }, endpointManagerUrl: 'https://127.0.0.1:1514' }
    expect(fleetServerUrl(local)).toBe('https://127.0.0.1:8220')
    expect(endpointHosts(local)).toEqual(['https://127.0.0.1:1514'])
  })

  it('are missing without IPVAR elsewhere', () => {
    expect(fleetServerUrl({ ...inside, ipvar: '' })).toBeUndefined()
  })
})
