import { describe, expect, test } from 'vitest'
import { jsonText, readJson } from '../../../editor/json-text.ts'
import { emptyGrant, roleBody, roleForm, roleProblem } from './role-body.ts'
import { userBody, userForm, userProblems } from './user-body.ts'

describe('a role', () => {
  const role = {
    cluster: ['monitor'],
    indices: [
      { names: ['logs-*'], privileges: ['read'], query: { term: { a: 1 } }, allow_restricted_indices: true },
      { names: ['x'], privileges: ['all'], field_security: { grant: ['a.*'], except: ['a.b'] }, query: '{"b":1}' },
    ],
    applications: [{ application: 'kibana', privileges: ['read'], resources: ['*'] }],
    run_as: ['anna'],
    metadata: { team: 'blue' },
    description: 'reads',
  }

  test('that is not changed is stored as it was', () => {
    const [first, second] = role.indices
    expect(roleBody(roleForm('r', role), role)).toEqual({
      ...role,
      // The same query, written out.
      indices: [{ ...first, query: '{"term":{"a":1}}' }, second],
    })
  })

  test('loses what was taken from it', () => {
    const form = roleForm('r', role)
    const grants = form.grants.map((grant) => ({ ...grant, query: ' ', granted: [], denied: [] }))
    expect(roleBody({ ...form, description: '', cluster: [], grants }, role)).toEqual({
      cluster: [],
      indices: [
        { names: ['logs-*'], privileges: ['read'], allow_restricted_indices: true },
        { names: ['x'], privileges: ['all'] },
      ],
      applications: role.applications,
      run_as: ['anna'],
      metadata: { team: 'blue' },
    })
  })

  test('that only denies fields grants all others', () => {
    const grant = { ...emptyGrant(0), names: ['x'], privileges: ['read'], denied: ['password'] }
    expect(roleBody({ ...roleForm('r'), grants: [grant] })).toEqual({
      cluster: [],
      run_as: [],
      indices: [{ names: ['x'], privileges: ['read'], field_security: { grant: ['*'], except: ['password'] } }],
    })
  })

  test('needs a name, and grants that are whole', () => {
    expect(roleProblem(roleForm(''))).toBeDefined()
    expect(roleProblem(roleForm('r'))).toBeUndefined()
    expect(roleProblem({ ...roleForm('r'), grants: [{ ...emptyGrant(0), names: ['x'] }] })).toBeDefined()
  })
})

describe('a user', () => {
  const anna = { username: 'anna', roles: ['a'], full_name: 'Anna', email: null, metadata: { x: 1 }, enabled: false }

  test('that is not changed is stored as it was, and without a password', () => {
    const form = userForm('anna', anna)
    expect(form).toMatchObject({ fullName: 'Anna', email: '', enabled: false })
    expect(userBody(form, anna)).toEqual({
      roles: ['a'],
      full_name: 'Anna',
      email: '',
      enabled: false,
      metadata: { x: 1 },
    })
    expect(userProblems(form, false)).toEqual({})
  })

  test('that is new has a password, typed twice', () => {
    const form = { ...userForm('bert'), password: 'a', repeated: 'b' }
    expect(Object.keys(userProblems(form, true))).toEqual(['repeated'])
    expect(Object.keys(userProblems(userForm(''), true))).toEqual(['username', 'password'])
    expect(userBody({ ...form, repeated: 'a' }, undefined)).toMatchObject({
      password: 'a',
      metadata: {},
      enabled: true,
    })
  })
})

test('what was typed is read as JSON of the form that is wanted', () => {
  expect(readJson('{"a":1}')).toEqual({ value: { a: 1 } })
  expect(readJson('[1]', true)).toEqual({ value: [1] })
  expect(readJson('[1]').problem).toContain('object')
  expect(readJson('{}', true).problem).toContain('list')
  expect(readJson('null').problem).toContain('object')
  expect(readJson('{"a":').problem).toBeDefined()
  expect(readJson(jsonText({ a: [1] }))).toEqual({ value: { a: [1] } })
})
