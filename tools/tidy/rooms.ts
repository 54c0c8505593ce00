/** Where files import files of a folder beside their own: the folder both are in, the two, and one import. */
interface Use {
  readonly parent: string
  readonly room: string
  readonly used: string
  readonly example: string
}

/** Imports between folders that lie beside each other. What lies directly in the folder around them stands above and below all: it puts them together. */
function usesBetween(imports: Iterable<readonly [file: string, targets: readonly string[]]>): Use[] {
  const uses: Use[] = []
  for (const [file, targets] of imports) {
    for (const target of targets) {
      const from = file.split('/')
      const to = target.split('/')
      let at = 0
      while (from[at] !== undefined && from[at] === to[at]) at++
      const [room, used] = [from[at], to[at]]
      if (room === undefined || used === undefined || at >= from.length - 1 || at >= to.length - 1) continue
      uses.push({ parent: from.slice(0, at).join('/'), room, used, example: `${file} imports ${target}` })
    }
  }
  return uses
}

/**
 * The folders beside each other that use each other in a circle, each with an import of every one that leads on in it. `imports` are the files that each
 * file imports, as paths from the root.
 */
export function circles(imports: Iterable<readonly [file: string, targets: readonly string[]]>): string[] {
  const examples = new Map<string, Map<string, Map<string, string>>>()
  for (const { parent, room, used, example } of usesBetween(imports)) {
    const rooms = examples.get(parent) ?? new Map<string, Map<string, string>>()
    examples.set(parent, rooms)
    const found = rooms.get(room) ?? new Map<string, string>()
    rooms.set(room, found.set(used, found.get(used) ?? example))
  }
  return [...examples].flatMap(([parent, rooms]) => {
    const circle = [...rooms.keys()].filter((room) => leadsTo(rooms, room, room))
    return circle.flatMap((room) =>
      [...(rooms.get(room) ?? [])]
        .filter(([used]) => leadsTo(rooms, used, room))
        .map(([used, example]) => `${parent}: ${room} → ${used}: ${example}`),
    )
  })
}

/** Whether one uses the other, itself or through others. */
function leadsTo(rooms: ReadonlyMap<string, ReadonlyMap<string, string>>, from: string, to: string): boolean {
  const seen = new Set<string>()
  const next = [from]
  for (let room = next.pop(); room !== undefined; room = next.pop()) {
    for (const used of rooms.get(room)?.keys() ?? []) {
      if (used === to) return true
      if (!seen.has(used)) next.push(used)
      seen.add(used)
    }
  }
  return false
}
