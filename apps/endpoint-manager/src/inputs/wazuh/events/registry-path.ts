import type { Fields } from '../../../ecs/fields.ts'

const hives = new Map([
  ['HKEY_CLASSES_ROOT', 'HKCR'],
  ['HKEY_CURRENT_CONFIG', 'HKCC'],
  ['HKEY_CURRENT_USER', 'HKCU'],
  ['HKEY_LOCAL_MACHINE', 'HKLM'],
  ['HKEY_USERS', 'HKU'],
])

/** ECS's `registry.*` of a key of the registry as agents write it, and of a value in it. */
export function registryFields(path: string, value: string | undefined, type: string | undefined): Fields {
  const [root = '', ...rest] = path.split('\\')
  const hive = hives.get(root.toUpperCase())
  const key = hive === undefined ? path : rest.join('\\')
  const full = [...(hive === undefined ? [] : [hive]), key, ...(value === undefined ? [] : [value])]
  return { registry: { hive, key, value, path: full.join('\\'), data: { type } } }
}
