import { expect, it } from 'vitest'
import { auditedChanges } from './changes.ts'

it('of privileges that programs define tell each of them', () => {
  const read = { actions: ['data:read/*'], metadata: { level: 1 } }
  expect(auditedChanges['security.put_privileges']?.({}, { myapp: { read, odd: null } })).toEqual({
    'event.action': 'put_privileges',
    put: {
      privileges: [
        { application: 'myapp', name: 'read', ...read },
        { application: 'myapp', name: 'odd', actions: undefined, metadata: undefined },
      ],
    },
  })
  expect(auditedChanges['security.delete_privileges']?.({ application: 'myapp', name: 'read,write' }, {})).toEqual({
    'event.action': 'delete_privileges',
    delete: { privileges: { application: 'myapp', privileges: ['read', 'write'] } },
  })
})

it('of users tell that there was a password or a hash of one, never which', () => {
  const told = auditedChanges['security.put_user']?.({ username: 'ann' }, { password_hash: '$2b$secret', roles: ['r'] })
  expect(told).toMatchObject({ put: { user: { name: 'ann', has_password: true } } })
  expect(JSON.stringify(told)).not.toContain('secret')
})
