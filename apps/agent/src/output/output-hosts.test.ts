import { expect, it } from 'vitest'
import { outputHosts } from './output-hosts.ts'

it('names loopback first where the agent checks in over it, and only the policy elsewhere', () => {
  const hosts = ['https://203.0.113.5:1514']
  expect(outputHosts(hosts, 'https://127.0.0.1:8220')).toEqual(['https://127.0.0.1:1514', ...hosts])
  expect(outputHosts(hosts, 'https://[::1]:8220')).toEqual(['https://[::1]:1514', ...hosts])
  expect(outputHosts(hosts, 'https://localhost:8220')).toEqual(['https://localhost:1514', ...hosts])
  expect(outputHosts(['https://127.0.0.1:1514'], 'https://127.0.0.1:8220')).toEqual(['https://127.0.0.1:1514'])
  expect(outputHosts(hosts, 'https://203.0.113.5:8220')).toEqual(hosts)
  expect(outputHosts(hosts, 'https://127.example.org:8220')).toEqual(hosts)
  expect(outputHosts([], 'https://127.0.0.1:8220')).toEqual([])
})
