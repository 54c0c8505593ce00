import { chmodSync, existsSync, lstatSync, writeFileSync } from 'node:fs'

/** Writes a marker file: empty, rw-r--r--. */
export function writeMarker(path: string): void {
  writeFileSync(path, '')
  chmodSync(path, 0o644)
}

/** What is wrong with a marker file; undefined when it is an empty regular file with mode rw-r--r--. */
export function markerProblem(path: string): string | undefined {
  if (!existsSync(path)) return 'is missing'
  const stat = lstatSync(path)
  if (!stat.isFile()) return 'is not a regular file'
  if (stat.size > 0) return 'is not empty'
  const mode = stat.mode & 0o777
  return mode === 0o644 ? undefined : `has mode ${mode.toString(8)} instead of 644`
}
