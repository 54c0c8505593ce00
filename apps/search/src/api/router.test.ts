import { describe, expect, it } from 'vitest'
import { defineRoute, type Route } from './define-route.ts'
import { routes } from './index.ts'
import { createRouter } from './router.ts'

const route = (name: string, methods: Route['methods'], ...paths: string[]): Route =>
  defineRoute({ name, methods, paths, privilege: 'authenticated', parameters: {}, handle: async () => ({}) })

const router = createRouter([
  route('root', ['GET', 'HEAD'], '/'),
  route('index', ['GET', 'PUT'], '/{index}'),
  route('doc', ['GET'], '/{index}/_doc/{id}'),
  route('settings', ['PUT'], '/_settings', '/{index}/_settings'),
  route('all-settings', ['GET'], '/{index}/_settings/{name}'),
])

const match = (method: string, path: string) => {
  const found = router.match(method, path)
  return found.kind === 'route' ? [found.route.name, found.params] : found
}

describe('routes', () => {
  it.each([
    ['GET', '/', 'root', {}],
    ['GET', '/logs', 'index', { index: 'logs' }],
    ['GET', '/logs/', 'index', { index: 'logs' }],
    ['PUT', '/_settings', 'settings', {}],
    ['GET', '/a%2Fb/_doc/x%20y%2Fz', 'doc', { index: 'a/b', id: 'x y/z' }],
    ['GET', '/%3Clogs-%7Bnow%2Fd%7D%3E', 'index', { index: '<logs-{now/d}>' }],
    ['GET', '/logs/_doc/%zz', 'doc', { index: 'logs', id: '%zz' }],
  ])('%s %s', (method, path, name, params) => {
    expect(match(method, path)).toEqual([name, params])
  })

  it('takes a name of the API for no index, whatever the method', () => {
    expect(match('GET', '/_settings')).toEqual({ kind: 'method', allowed: ['PUT'] })
  })

  it('tells the allowed methods, and when there is no such path', () => {
    expect(match('DELETE', '/logs/_doc/1')).toEqual({ kind: 'method', allowed: ['GET'] })
    expect(match('POST', '/logs')).toEqual({ kind: 'method', allowed: ['GET', 'PUT'] })
    expect(match('GET', '/a/b/c/d')).toEqual({ kind: 'none' })
  })

  it('refuses two routes for one method and path', () => {
    expect(() => createRouter([route('a', ['GET'], '/{x}'), route('b', ['GET'], '/{y}')])).toThrow('BUG')
  })
})

describe('registry', () => {
  it('has no conflicts, and only the root of health without a login', () => {
    expect(() => createRouter(routes)).not.toThrow()
    expect(routes.filter(({ privilege }) => privilege === 'anonymous').map(({ name }) => name)).toEqual([
      'logstack.health',
    ])
  })
})
