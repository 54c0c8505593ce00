import { readdir, readFile } from 'node:fs/promises'
import { arch, cpus, totalmem } from 'node:os'
import type { Fields, InventorySet } from './inventory-set.ts'

const sectorBytes = 512
const gibibyte = 1024 ** 3

/** The text of a file of /sys without its line end; undefined when it is not there or not ours to read. */
async function word(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim() || undefined
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === undefined) throw thrown
    return undefined
  }
}

async function disks(): Promise<[string, Fields][]> {
  const names = await readdir('/sys/block').catch(() => [])
  const own = names.filter((name) => !/^(loop|ram|zram|dm-|sr|fd)/.test(name))
  return Promise.all(
    own.map(async (name): Promise<[string, Fields]> => {
      const model = await word(`/sys/block/${name}/device/model`)
      const size = Number((await word(`/sys/block/${name}/size`)) ?? 0) * sectorBytes
      return [`disk ${name}`, { inventory: { hardware: { kind: 'disk', name, model, bytes: size } } }]
    }),
  )
}

/** The machine: processors, memory, disks, and what its firmware says of it. */
export const hardware: InventorySet = {
  name: 'hardware',
  noun: 'hardware',
  category: 'host',
  async read() {
    const [first] = cpus()
    const firmware = '/sys/class/dmi/id'
    const machine = {
      kind: 'machine',
      vendor: await word(`${firmware}/sys_vendor`),
      model: await word(`${firmware}/product_name`),
      serial: await word(`${firmware}/product_serial`),
    }
    // What the kernel keeps for itself differs from boot to boot: whole gibibytes do not.
    const memory = { kind: 'memory', bytes: Math.round(totalmem() / gibibyte) * gibibyte }
    const processors = { kind: 'processor', model: first?.model, count: cpus().length, architecture: arch() }
    return new Map<string, Fields>([
      ['machine', { inventory: { hardware: machine } }],
      ['memory', { inventory: { hardware: memory } }],
      ['processors', { inventory: { hardware: processors } }],
      ...(await disks()),
    ])
  },
}
