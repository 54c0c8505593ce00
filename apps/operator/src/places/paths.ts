import { join } from 'node:path'
import type { PartName } from '@logstack/contracts'

/** Every path the operator knows, of the host (`root` is empty) or of an embedded stack (`root` is its data directory). */
export interface Paths {
  readonly root: string
  /** The folder of the programs: the checkout, or `/opt/logstack-install`. */
  readonly programDir: string
  readonly optDir: string
  readonly configDir: string
  readonly rulesDir: string
  readonly environmentFile: string
  /** The authority's certificate, where people and documents look for it. */
  readonly caFile: string
  readonly authorityKeyFile: string
  /** The private key that opens what search leaves for the operator; the public one is in the certificates volume. */
  readonly operatorKeyFile: string
  readonly vaultDir: string
  readonly vaultKeyFile: string
  readonly certsVolume: string
  /** Who signed the certificates of a cluster in search's place; absent where search is the stack's own. */
  readonly searchCaFile: string
  readonly volumesDir: string
  readonly logDir: string
  readonly runDir: string
  readonly lockFile: string
  /** The shipped definitions, and the directory of their drop-ins. */
  readonly quadletDir: string
  readonly dropInDir: string
  readonly markers: Readonly<Record<MarkerName, string>>
  /** The place of a production path (`/opt/logstack/…`) under the root. */
  at(productionPath: string): string
  /** A named volume's directory. */
  volume(name: string): string
}

/** The marker files of the interface, each written last, after what it marks was read back. */
export type MarkerName = 'agent-server' | 'search-dashboards' | 'endpoint-dashboards'

/** Paths of an embedded stack in `dataDir`, run from the programs in `programDir`. */
export function embeddedPaths(dataDir: string, programDir: string): Paths {
  return buildPaths({
    root: dataDir,
    programDir,
    volumesDir: join(dataDir, 'var/lib/logstack/volumes'),
    runDir: join(dataDir, 'run'),
    logDir: join(dataDir, 'var/log/logstack'),
    quadletDir: join(programDir, 'quadlet'),
  })
}

/** Paths of the host, where systemd and podman run the stack. */
export function hostPaths(programDir: string): Paths {
  return buildPaths({
    root: '',
    programDir,
    volumesDir: '/var/lib/containers/storage/volumes',
    runDir: '/run/logstack',
    logDir: '/var/log/logstack',
    quadletDir: '/etc/containers/systemd',
  })
}

interface Roots {
  readonly root: string
  readonly programDir: string
  readonly volumesDir: string
  readonly runDir: string
  readonly logDir: string
  readonly quadletDir: string
}

function buildPaths(roots: Roots): Paths {
  const at = (path: string): string => (roots.root === '' ? path : join(roots.root, path))
  // podman keeps a volume's files one level down.
  const volume = (name: string): string => join(roots.volumesDir, name, roots.root === '' ? '_data' : '')
  return {
    ...roots,
    optDir: at('/opt/logstack'),
    configDir: at('/opt/logstack/config'),
    rulesDir: at('/opt/logstack/rules'),
    environmentFile: at('/opt/logstack/logstack-environment.env'),
    caFile: at('/opt/logstack/Chapter 3 Files/certs/root-ca.crt'),
    authorityKeyFile: at('/etc/logstack/pki/root-ca.key'),
    operatorKeyFile: at('/etc/logstack/pki/operator.key'),
    vaultDir: at('/etc/logstack/vault'),
    vaultKeyFile: at('/etc/logstack/vault-key'),
    certsVolume: volume('logstack_certs'),
    searchCaFile: join(volume('logstack_certs'), 'search-ca.crt'),
    lockFile: join(roots.runDir, 'operator.lock'),
    dropInDir: at('/etc/containers/systemd'),
    markers: {
      'agent-server': at('/opt/logstack/FLEET_SETUP_FINISHED'),
      'search-dashboards': at('/opt/logstack/dashboards/search/INSTALLED'),
      'endpoint-dashboards': at('/opt/logstack/dashboards/endpoint/INSTALLED'),
    },
    at,
    volume,
  }
}

/** Where a part writes its log in the embedded runtime. */
export function logFileOf(paths: Paths, name: string): string {
  return join(paths.logDir, `${name}.log`)
}

/** The certificate and key files of a part in the certificates volume. */
export function leafFilesOf(paths: Paths, part: PartName): { readonly cert: string; readonly key: string } {
  return { cert: join(paths.certsVolume, `${part}.crt`), key: join(paths.certsVolume, `${part}.key`) }
}
