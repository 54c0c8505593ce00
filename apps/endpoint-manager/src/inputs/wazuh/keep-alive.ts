import { systemFields } from './events/host-system.ts'

/** What an agent says of itself every ten seconds. */
export interface KeepAlive {
  /** Its own version, `4.14.7`. */
  readonly version?: string
  /** Its host's system: `Microsoft Windows 11 Pro 10.0.22631.2861`, `Debian GNU/Linux 12 (bookworm)`. */
  readonly os?: string
}

const osLengthMax = 256

/**
 * Reads the first line of a keep-alive: `Microsoft Windows 11 Pro [Ver: 10.0.22631.2861] - Wazuh v4.14.7`, or
 * `Linux |web1 |6.1.0-18-amd64 |#1 SMP |x86_64 [Debian GNU/Linux|debian: 12 (bookworm)] - Wazuh v4.14.7`.
 */
export function readKeepAlive(text: string): KeepAlive {
  const [line = ''] = text.split('\n', 1)
  const version = / - Wazuh v(\d+\.\d+\.\d+)/.exec(line)?.[1]
  const os = String(systemFields(line)['full']).slice(0, osLengthMax)
  return { ...(version === undefined ? {} : { version }), ...(os ? { os } : {}) }
}
