import { isIP } from 'node:net'
import type { Fields } from '../../../ecs/fields.ts'
import { describeSystem } from './host-system.ts'
import { numberOf, textOf, textsOf } from './reading.ts'

/** A table of an agent's database: of which part of the inventory its rows are, and how one of them is named and shown. */
export interface InventoryTable {
  /** The last word of its data set, `packages` of `inventory.packages`. */
  readonly part: string
  /** Rows have counters in them, so that agents call them changed at every look: that is what is there now, and no change. */
  readonly hasCounters?: boolean
  /** ECS's `event.category` of changes. */
  readonly category: string
  /**
   * A column that is never empty. Agents before 4.6 tell of a changed row only what tells it apart and what changed, which is too little to put in
   * its place.
   */
  readonly always?: string
  /** Every kind of things that rows can be. */
  readonly kinds: readonly [string, ...string[]]
  /** Which of them a row is, where there are several. */
  kindOf?(row: Fields): string
  /** Another part that rows of a kind belong to. */
  readonly partOf?: Readonly<Record<string, string>>
  /** A name of all that tells rows apart in the agent's table; undefined for what is no row of it. Agents say first what is new, then what is gone. */
  keyOf(row: Fields): string | undefined
  fieldsOf(row: Fields): Fields
}

/** Texts with blanks between them; undefined where the first is. */
function joined(first: string | undefined, ...rest: (string | undefined)[]): string | undefined {
  return first === undefined ? undefined : [first, ...rest.filter((each) => each !== undefined)].join(' ')
}

const named = (column: string) => (row: Fields) => textOf(row, column)

// What other tools install beside the distribution must not be taken for the distribution's, whose advisories are for packages of the same names.
const packageKinds = new Map([
  ['pypi', 'library'],
  ['npm', 'library'],
  ['snap', 'snap'],
])
const packageTypes = new Map([
  ['deb', 'dpkg'],
  ['win', 'windows'],
])

const packages: InventoryTable = {
  part: 'packages',
  always: 'format',
  category: 'package',
  kinds: ['package', 'library', 'snap'],
  kindOf: (row) => packageKinds.get(textOf(row, 'format') ?? '') ?? 'package',
  keyOf(row) {
    const name = textOf(row, 'name')
    if (name === undefined) return undefined
    const format = textOf(row, 'format')
    const key = [name, textOf(row, 'architecture') ?? '', textOf(row, 'version') ?? ''].join(':')
    return joined(key, format === 'deb' || format === 'rpm' ? undefined : format, textOf(row, 'location'))
  },
  fieldsOf(row) {
    const format = textOf(row, 'format')
    return {
      package: {
        name: textOf(row, 'name'),
        version: textOf(row, 'version'),
        architecture: textOf(row, 'architecture'),
        type: packageTypes.get(format ?? '') ?? format,
        size: numberOf(row, 'size') || undefined,
        path: textOf(row, 'location'),
        description: textOf(row, 'description'),
      },
      inventory: {
        package: {
          vendor: textOf(row, 'vendor'),
          source: format === 'deb' ? sourceOf(textOf(row, 'source')) : undefined,
        },
      },
    }
  },
}

/** `name (version)`, as dpkg has it: the version is there where it is not the package's own. */
function sourceOf(given: string | undefined): Fields | undefined {
  const [, name, version] = /^(\S+)(?: \(([^()]+)\))?$/.exec(given ?? '') ?? []
  return name === undefined ? undefined : { name, version }
}

const hotfixes: InventoryTable = {
  part: 'hotfixes',
  category: 'package',
  kinds: ['hotfix'],
  keyOf: named('hotfix'),
  fieldsOf: (row) => ({ package: { name: textOf(row, 'hotfix'), type: 'hotfix' } }),
}

const ports: InventoryTable = {
  part: 'ports',
  always: 'remote_ip',
  partOf: { connection: 'connections' },
  hasCounters: true,
  category: 'network',
  kinds: ['port', 'connection'],
  kindOf: (row) => (isOpen(row) ? 'port' : 'connection'),
  keyOf(row) {
    const [ip, port, inode] = [textOf(row, 'local_ip'), numberOf(row, 'local_port'), numberOf(row, 'inode')]
    const protocol = textOf(row, 'protocol')
    if (ip === undefined || port === undefined || protocol === undefined) return undefined
    // A service that starts again has the same port in another socket.
    return joined(`${transportOf(row)} ${ip}:${port}`, inode ? `${inode}` : undefined)
  },
  fieldsOf(row) {
    const local = { ip: addressOf(row, 'local_ip'), port: numberOf(row, 'local_port') }
    const process = {
      name: textOf(row, 'process') ?? textOf(row, 'process_name'),
      pid: numberOf(row, 'pid') || undefined,
    }
    const network = { transport: transportOf(row) }
    if (isOpen(row)) return { server: local, network, process }
    const remote = { ip: addressOf(row, 'remote_ip'), port: numberOf(row, 'remote_port') }
    return {
      source: local,
      destination: remote,
      network,
      process,
      inventory: { connection: { state: textOf(row, 'state') } },
    }
  },
}

function transportOf(row: Fields): string | undefined {
  return textOf(row, 'protocol')?.replace(/6$/, '')
}

/** Whether anybody can reach it: sockets of TCP that listen, and those of UDP that wait for nobody in particular. */
function isOpen(row: Fields): boolean {
  const state = textOf(row, 'state')
  return state === undefined ? (numberOf(row, 'remote_port') ?? 0) === 0 : state === 'listening'
}

/** Link-local addresses come with their interface, `fe80::1%eth0`. */
function addressOf(row: Fields, column: string): string | undefined {
  const address = textOf(row, column)?.split('%')[0]
  return address !== undefined && isIP(address) > 0 ? address : undefined
}

const processes: InventoryTable = {
  part: 'processes',
  always: 'ppid',
  hasCounters: true,
  category: 'process',
  kinds: ['process'],
  keyOf: named('pid'),
  fieldsOf(row) {
    const [command, rest] = [textOf(row, 'cmd'), textOf(row, 'argvs')]
    return {
      process: {
        pid: numberOf(row, 'pid'),
        name: textOf(row, 'name'),
        executable: command !== undefined && /^(?:\/|[A-Za-z]:\\)/.test(command) ? command : undefined,
        command_line: joined(command, rest),
        parent: { pid: numberOf(row, 'ppid') },
        user: { name: textOf(row, 'euser') },
      },
    }
  },
}

const users: InventoryTable = {
  part: 'users',
  category: 'iam',
  kinds: ['user'],
  keyOf: named('user_name'),
  fieldsOf: (row) => ({
    user: {
      name: textOf(row, 'user_name'),
      // Accounts of Windows and macOS have identifiers beside the number.
      id: textOf(row, 'user_uuid') ?? textOf(row, 'user_id'),
      full_name: textOf(row, 'user_full_name'),
      group: { id: textOf(row, 'user_group_id') },
      roles: textOf(row, 'user_groups')?.split(':').sort(),
    },
    inventory: {
      user: {
        home: textOf(row, 'user_home'),
        shell: textOf(row, 'user_shell'),
        type: textOf(row, 'user_type'),
        password: textOf(row, 'user_password_status'),
      },
    },
  }),
}

const groups: InventoryTable = {
  part: 'groups',
  category: 'iam',
  kinds: ['group'],
  keyOf: named('group_name'),
  fieldsOf: (row) => ({
    group: { name: textOf(row, 'group_name'), id: textOf(row, 'group_uuid') ?? textOf(row, 'group_id') },
    inventory: {
      group: {
        description: textOf(row, 'group_description'),
        members: textOf(row, 'group_users')?.split(':').sort(),
      },
    },
  }),
}

const services: InventoryTable = {
  part: 'services',
  category: 'configuration',
  kinds: ['service'],
  keyOf: (row) => joined(textOf(row, 'service_id'), textOf(row, 'file_path')),
  fieldsOf: (row) => ({
    service: {
      name: textOf(row, 'service_id'),
      // Whether it starts with the host, as for our own agents.
      state: textOf(row, 'service_enabled') ?? textOf(row, 'service_start_type') ?? textOf(row, 'service_state'),
      type: textOf(row, 'service_type'),
    },
    process: {
      executable: textOf(row, 'process_executable'),
      pid: numberOf(row, 'process_pid') || undefined,
      user: { name: textOf(row, 'process_user_name') },
    },
    inventory: {
      service: {
        title: textOf(row, 'service_name'),
        description: textOf(row, 'service_description'),
        running: textOf(row, 'service_state'),
        path: textOf(row, 'file_path'),
      },
    },
  }),
}

const interfaces: InventoryTable = {
  part: 'interfaces',
  always: 'mtu',
  hasCounters: true,
  category: 'network',
  kinds: ['interface'],
  keyOf: (row) => joined(textOf(row, 'name'), textOf(row, 'adapter'), textOf(row, 'type')),
  fieldsOf: (row) => ({
    host: { mac: textOf(row, 'mac')?.split(' ') },
    observer: { ingress: { interface: { name: textOf(row, 'name'), alias: textOf(row, 'adapter') } } },
    inventory: {
      interface: {
        type: textOf(row, 'type'),
        state: textOf(row, 'state'),
        mtu: numberOf(row, 'mtu'),
        address: textsOf(row, 'addresses'),
      },
    },
  }),
}

const addresses: InventoryTable = {
  part: 'interfaces',
  category: 'network',
  kinds: ['interface_address'],
  keyOf: (row) => joined(textOf(row, 'iface'), textOf(row, 'address')),
  fieldsOf: (row) => ({
    observer: { ingress: { interface: { name: textOf(row, 'iface') } } },
    inventory: {
      interface: {
        address: textOf(row, 'address') === undefined ? undefined : [textOf(row, 'address')],
        netmask: textOf(row, 'netmask'),
        broadcast: textOf(row, 'broadcast'),
      },
    },
  }),
}

const protocols: InventoryTable = {
  part: 'interfaces',
  always: 'dhcp',
  category: 'network',
  kinds: ['interface_protocol'],
  keyOf: (row) => joined(textOf(row, 'iface'), textOf(row, 'type')),
  fieldsOf: (row) => ({
    observer: { ingress: { interface: { name: textOf(row, 'iface') } } },
    network: { type: textOf(row, 'type') },
    inventory: { interface: { gateway: textOf(row, 'gateway'), dhcp: textOf(row, 'dhcp') } },
  }),
}

const hardware: InventoryTable = {
  part: 'hardware',
  always: 'cpu_name',
  hasCounters: true,
  category: 'host',
  kinds: ['hardware'],
  keyOf: () => 'machine',
  fieldsOf(row) {
    const kibibytes = numberOf(row, 'ram_total')
    return {
      inventory: {
        hardware: {
          kind: 'machine',
          serial: textOf(row, 'board_serial'),
          model: textOf(row, 'cpu_name'),
          count: numberOf(row, 'cpu_cores'),
          bytes: kibibytes === undefined ? undefined : kibibytes * 1024,
        },
      },
    }
  },
}

const system: InventoryTable = {
  part: 'system',
  always: 'hostname',
  hasCounters: true,
  category: 'host',
  kinds: ['system'],
  keyOf: named('os_name'),
  fieldsOf(row) {
    const [name = '', version = ''] = [textOf(row, 'os_name'), textOf(row, 'os_version')]
    return {
      host: {
        hostname: textOf(row, 'hostname'),
        architecture: textOf(row, 'architecture'),
        os: {
          ...describeSystem(name, version, textOf(row, 'os_platform')),
          kernel: textOf(row, 'release') ?? textOf(row, 'os_build'),
          type: textOf(row, 'sysname')?.toLowerCase(),
        },
      },
    }
  },
}

const browserExtensions: InventoryTable = {
  part: 'browser_extensions',
  category: 'package',
  kinds: ['browser_extension'],
  keyOf(row) {
    const [name, version] = [textOf(row, 'package_name'), textOf(row, 'package_version')]
    const of = joined(textOf(row, 'browser_name'), textOf(row, 'user_id'), textOf(row, 'browser_profile_path'))
    return name === undefined ? undefined : joined(`${name}:${version ?? ''}`, of)
  },
  fieldsOf: (row) => ({
    package: {
      name: textOf(row, 'package_name'),
      version: textOf(row, 'package_version'),
      type: 'browser_extension',
      path: textOf(row, 'package_path'),
      description: textOf(row, 'package_description'),
    },
    user: { id: textOf(row, 'user_id') },
    inventory: {
      browser_extension: {
        browser: textOf(row, 'browser_name'),
        id: textOf(row, 'package_id'),
        vendor: textOf(row, 'package_vendor'),
      },
    },
  }),
}

/** Whether a changed row was told whole. */
export function isWhole({ always }: InventoryTable, row: Fields): boolean {
  return always === undefined || Object.hasOwn(row, always)
}

/** Kinds of things that come and go all the time: that they do is no change of the host. */
export const transientKinds: ReadonlySet<string> = new Set(['process', 'connection'])

/** The tables of agents by their name: `packages` of `dbsync_packages` and `syscollector_packages`. */
export const inventoryTables: ReadonlyMap<string, InventoryTable> = new Map([
  ['packages', packages],
  ['hotfixes', hotfixes],
  ['ports', ports],
  ['processes', processes],
  ['users', users],
  ['groups', groups],
  ['services', services],
  ['network_iface', interfaces],
  ['network_address', addresses],
  ['network_protocol', protocols],
  ['hwinfo', hardware],
  ['osinfo', system],
  ['browser_extensions', browserExtensions],
])
