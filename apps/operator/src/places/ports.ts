/** Where the parts are reached. On the host every port is its own; an embedded stack moves them all. */
export interface Ports {
  /** Added to every port. */
  readonly offset: number
  /** The address the parts listen on. */
  readonly listenHost: '127.0.0.1' | '0.0.0.0'
  /** The port on this machine that stands for the definition's port. */
  of(port: number): number
}

/** Ports under this need root; an embedded stack moves them up. */
const privilegedBelow = 1024
const privilegedShift = 5000

/** The largest offset that keeps every port of the stack (the highest is 9200) in range. */
export const portOffsetMax = 65_535 - 9_200

/** Ports of the host: as the definitions say. */
export const hostPorts: Ports = { offset: 0, listenHost: '0.0.0.0', of: (port) => port }

/** Ports of an embedded stack: moved by `offset`; those under 1024 (syslog's 514) by 5000 more. Loopback unless it has an address for others. */
export function embeddedPorts(options: { readonly offset: number; readonly ipvar: string }): Ports {
  const loopback = options.ipvar === '' || options.ipvar.startsWith('127.') || options.ipvar === 'localhost'
  return {
    offset: options.offset,
    listenHost: loopback ? '127.0.0.1' : '0.0.0.0',
    of: (port) => (port < privilegedBelow ? port + privilegedShift : port) + options.offset,
  }
}
