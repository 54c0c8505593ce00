import { readFile } from 'node:fs/promises'
import type { Fields, InventorySet } from './inventory-set.ts'

/** Reads /etc/passwd and /etc/group: accounts, with the names of their groups. */
export function readUsers(passwd: string, group: string): Map<string, Fields> {
  const groups = group.split('\n').flatMap((line) => {
    const [name, , id, members = ''] = line.split(':')
    return name && id ? [{ name, id, members: members.split(',') }] : []
  })
  return new Map(
    passwd.split('\n').flatMap((line): [string, Fields][] => {
      const [name, , id, groupId, fullName, home, shell] = line.split(':')
      if (!name || !id) return []
      const own = groups.filter((candidate) => candidate.id === groupId || candidate.members.includes(name))
      const first = groups.find((candidate) => candidate.id === groupId)
      return [
        [
          name,
          {
            user: {
              name,
              id,
              full_name: fullName?.split(',')[0] || undefined,
              group: { id: groupId, name: first?.name },
              roles: own.map((member) => member.name).sort(),
            },
            inventory: { user: { home, shell } },
          },
        ],
      ]
    }),
  )
}

/** The host's own accounts. */
export const users: InventorySet = {
  name: 'users',
  noun: 'user',
  category: 'iam',
  async read() {
    return readUsers(await readFile('/etc/passwd', 'utf8'), await readFile('/etc/group', 'utf8'))
  },
}
