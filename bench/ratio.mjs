// `npm run bench:ratio`: the last benchmark against the one before it, or two files that are named. Above 1 the later one is slower or larger.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const here = (file) => fileURLToPath(new URL(file, import.meta.url))
const [before = here('previous.json'), after = here('last.json')] = process.argv.slice(2)

/** The figures of a run by name; smaller is better in all of them. */
function figuresOf(file) {
  const { start, idle, loaded, ingest, searches } = JSON.parse(readFileSync(file, 'utf8'))
  const figures = new Map([
    ['start, first, s', start.firstS],
    ['start, second, s', start.secondS],
    ['idle, PSS, MB', idle.pssMb],
    ['loaded, PSS, MB', loaded.pssMb],
    ['taking in, s for 100 MB', (ingest.seconds / ingest.documentBytes) * 1e8],
    ['disk, bytes for each byte in', ingest.diskBytes / ingest.documentBytes],
  ])
  for (const { name, apiMs } of searches) figures.set(`${name}, ms`, apiMs)
  return figures
}

try {
  const [old, new_] = [figuresOf(before), figuresOf(after)]
  console.log('| figure | before | after | ratio |\n|---|---|---|---|')
  for (const [name, value] of new_) {
    const was = old.get(name)
    if (was === undefined) continue
    console.log(`| ${name} | ${was.toFixed(2)} | ${value.toFixed(2)} | ${(value / was).toFixed(2)} |`)
  }
} catch (thrown) {
  console.error(`${thrown.message}: run \`npm run bench\` twice, or name two files`)
  process.exitCode = 1
}
