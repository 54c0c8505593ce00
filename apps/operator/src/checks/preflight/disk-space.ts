import { statfsSync } from 'node:fs'
import { AppError, operatorErrors } from '@logstack/errors'
import type { Preflight } from './preflight.ts'

/** Free space a start needs: the engine refuses to write long before a disk is full. */
const freeBytesMin = 512 * 1024 * 1024

const mebibyte = 1024 * 1024

/** Refuses a disk that is full or nearly so. */
export const diskSpace: Preflight = async ({ paths }) => {
  const { bavail, bsize } = statfsSync(paths.root)
  const freeBytes = bavail * bsize
  if (freeBytes >= freeBytesMin) return
  throw new AppError(
    operatorErrors.disk_space_low,
    `the disk of ${paths.root} has ${Math.floor(freeBytes / mebibyte)} MiB free, logstack needs ${freeBytesMin / mebibyte} MiB to start`,
    { fix: 'free some space, or choose a folder on another disk with --data DIR' },
  )
}
