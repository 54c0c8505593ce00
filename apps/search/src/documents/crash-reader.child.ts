import { readBack } from './crash-read-back.fixture.ts'

// Run by power-cut.int.test.ts where only it sees the disk: prints what is there as JSON.
process.stdout.write(JSON.stringify(await readBack(process.argv[2] ?? '')))
