import { posix, win32 } from 'node:path'
import type { Fields } from '../../../ecs/fields.ts'
import {
  type MessageKind,
  numberOf,
  objectOf,
  present,
  type Reading,
  readObject,
  textOf,
  textsOf,
  timeOf,
} from './reading.ts'
import { registryFields } from './registry-path.ts'

const dataset = 'file_integrity'
const actions = new Map([
  ['added', 'created'],
  ['modified', 'updated'],
  ['deleted', 'deleted'],
])
const types = new Map([
  ['created', 'creation'],
  ['updated', 'change'],
  ['attributes_modified', 'change'],
  ['deleted', 'deletion'],
  ['found', 'info'],
])
/** What of a file changes with its content. */
const contentAttributes = new Set([
  'size',
  'md5',
  'sha1',
  'sha256',
  'hash_md5',
  'hash_sha1',
  'hash_sha256',
  'value_type',
])
// What the kernel says of a process that nobody logged in for.
const unsetId = '4294967295'

/** `8`: changed files and registry entries. */
export const fileChange: MessageKind = {
  name: 'syscheck',
  read(text) {
    const read = readObject(text)
    const type = read && textOf(read, 'type')
    if (read === undefined || type === undefined) return undefined
    if (type === 'scan_start' || type === 'scan_end') return 'none'
    const data = objectOf(read, 'data')
    const action = actions.get(textOf(data, 'type') ?? '')
    if (type !== 'event' || action === undefined) return undefined
    return fileReading(data, action === 'updated' ? changeOf(data) : action)
  },
}

/** A row of an agent's list of files or registry entries: what is there, of which nothing need have changed. */
export function fileState(data: Fields): Reading | undefined {
  // Newer agents name a file by its index, and entries of the registry by a path beside it.
  const isNamed = textOf(data, 'path') !== undefined || textOf(objectOf(data, 'attributes'), 'type') !== 'file'
  return fileReading(isNamed ? data : { ...data, path: data['index'] }, 'found')
}

function changeOf(data: Fields): string {
  const changed = textsOf(data, 'changed_attributes')
  return changed.length === 0 || changed.some((name) => contentAttributes.has(name)) ? 'updated' : 'attributes_modified'
}

function fileReading(data: Fields, action: string): Reading | undefined {
  const path = textOf(data, 'path')
  if (path === undefined) return undefined
  const attributes = objectOf(data, 'attributes')
  const isRegistry = (textOf(attributes, 'type') ?? '').startsWith('registry')
  const before = objectOf(data, 'old_attributes')
  const shown = isRegistry ? `${path}${valueSuffix(data)}` : path
  const fields = present({
    '@timestamp': action === 'found' ? undefined : timeOf(data, 'timestamp'),
    message: `${shown} ${action.replace('_', ' ')}`,
    event: {
      kind: action === 'found' ? 'state' : 'event',
      module: dataset,
      category: [isRegistry ? 'registry' : 'file'],
      type: [types.get(action)],
      action,
    },
    ...(isRegistry
      ? registryFields(path, textOf(data, 'value_name'), textOf(attributes, 'value_type'))
      : { file: { ...named(path), ...describe(attributes) } }),
    ...whoFields(objectOf(data, 'audit')),
    file_integrity: {
      before: describe(before),
      mode: textOf(data, 'mode'),
      changed: textsOf(data, 'changed_attributes'),
      tags: textOf(data, 'tags')?.split(','),
      diff: textOf(data, 'content_changes'),
      ...(isRegistry ? describe(attributes) : {}),
    },
  })
  return { dataset, fields }
}

function valueSuffix(data: Fields): string {
  const name = textOf(data, 'value_name')
  return name === undefined ? '' : `\\${name}`
}

function named(path: string): Fields {
  const { basename, dirname, extname } = /^[A-Za-z]:[\\/]|^\\\\/.test(path) ? win32 : posix
  return {
    path,
    name: basename(path),
    directory: dirname(path),
    extension: extname(path).slice(1) || undefined,
  }
}

function describe(attributes: Fields): Fields {
  const permissions = textOf(attributes, 'perm')
  return {
    type: textOf(attributes, 'type') === 'file' ? 'file' : undefined,
    size: numberOf(attributes, 'size'),
    mode: permissions === undefined ? undefined : modeOf(permissions),
    uid: textOf(attributes, 'uid'),
    gid: textOf(attributes, 'gid'),
    owner: textOf(attributes, 'user_name'),
    group: textOf(attributes, 'group_name'),
    inode: textOf(attributes, 'inode'),
    mtime: timeOf(attributes, 'mtime'),
    attributes: textOf(attributes, 'attributes')?.split(/,\s*/),
    hash: {
      md5: textOf(attributes, 'hash_md5'),
      sha1: textOf(attributes, 'hash_sha1'),
      sha256: textOf(attributes, 'hash_sha256'),
    },
    target_path: textOf(attributes, 'symlink_path'),
    permissions: accessList(objectOf(attributes, 'perm')),
  }
}

/** `rwsr-xr--` as octal digits, `4754`; undefined for anything else. */
function modeOf(text: string): string | undefined {
  const letters = /^[r-][w-][xsS-][r-][w-][xsS-][r-][w-][xtT-]$/.exec(text)?.[0]
  if (letters === undefined) return undefined
  const bits = [...letters].reduce((sum, letter, at) => (/[rwxst]/.test(letter) ? sum + 2 ** (8 - at) : sum), 0)
  const special = [2, 5, 8].reduce(
    (sum, at, index) => (/[sStT]/.test(letters[at] ?? '') ? sum + 2 ** (2 - index) : sum),
    0,
  )
  return `${special}${bits.toString(8).padStart(3, '0')}`
}

/** Who may do what with a file of Windows, `Administrators allowed: delete read_data`: the identifiers of accounts are no names of fields. */
function accessList(list: Fields): string[] {
  return Object.entries(list).flatMap(([identifier]) => {
    const entry = objectOf(list, identifier)
    const name = textOf(entry, 'name') ?? identifier
    return ['allowed', 'denied'].flatMap((verb) => {
      const rights = textsOf(entry, verb)
      return rights.length === 0 ? [] : [`${name} ${verb}: ${rights.join(' ')}`]
    })
  })
}

/** `user` is the account that logged in, `user.effective` the one in whose name it was done; where nobody logged in, `user` is the process's own. */
function whoFields(audit: Fields): Fields {
  const login = textOf(audit, 'audit_uid')
  const isLogin = login !== undefined && login !== unsetId
  const effective = { id: textOf(audit, 'effective_uid'), name: textOf(audit, 'effective_name') }
  const executable = textOf(audit, 'process_name')
  return {
    user: {
      id: isLogin ? login : textOf(audit, 'user_id'),
      name: isLogin ? textOf(audit, 'audit_name') : textOf(audit, 'user_name'),
      effective,
    },
    process: {
      pid: numberOf(audit, 'process_id'),
      executable,
      name: executable === undefined ? undefined : named(executable)['name'],
      working_directory: textOf(audit, 'cwd'),
      parent: { pid: numberOf(audit, 'ppid'), executable: textOf(audit, 'parent_name') },
    },
  }
}
