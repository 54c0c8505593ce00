import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Below the ports that Linux gives to connections and to who listens on port 0 (`net.ipv4.ip_local_port_range` begins at 32,768): of those one
 * that is free now may be another's a moment later.
 */
const lowest = 20_000
const end = 32_000
const triesMax = 100
/** Those that this process was given: it listens on them later than it asks for the next. */
const given = new Set<number>()

/** A TCP port of 127.0.0.1 that is free; prefer listening on port 0 where the program allows it. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < triesMax; tried += 1) {
    const port = randomInt(lowest, end)
    if (given.has(port) || !(await isFree(port))) continue
    given.add(port)
    return port
  }
  throw new Error(`no free port among ${triesMax} from ${lowest} to ${end}`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
