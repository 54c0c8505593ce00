import { dataPaths, lockDataDirectory } from './data-directory.ts'

// Takes and leaves the directory of its argument until it is killed.
const paths = dataPaths(process.argv[2] ?? '')
for (let round = 0; ; round += 1) {
  lockDataDirectory(paths).release()
  if (round === 0) process.stdout.write('busy\n')
}
