import { readFileSync, writeFileSync } from 'node:fs'
import { completed, type LockFile, missingOptional } from './lock/platform-packages.ts'

// `npm run lock` after `npm install`: completes package-lock.json with the packages for other platforms that npm left out because the
// registry at hand does not have them. Without their entries `npm ci` refuses the lock file.
const file = 'package-lock.json'
const lock = JSON.parse(readFileSync(file, 'utf8')) as LockFile
const missing = missingOptional(lock)
if (missing.length > 0) writeFileSync(file, `${JSON.stringify(completed(lock), null, 2)}\n`)
console.log(`added ${missing.length} packages for other platforms to ${file}`)
