import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assembleRules, readMapping, readSigma, SigmaMatcher } from '../packages/rules/src/index.ts'
import { fromFlatRecord } from '../packages/rules/src/sigma/windows-event.testing.ts'

// Sigma rules of a folder on recorded Windows events, one flat JSON object a line: what is read, mapped and found, and the CPU an event costs.
// `node tools/run-ts.mjs bench/sigma.ts RULES_DIR EVENTS.json…`

const [rulesDir, ...recordings] = process.argv.slice(2)
if (rulesDir === undefined) throw new Error('usage: bench/sigma.ts RULES_DIR EVENTS.json…')
const warmEvents = 2000
const yaml = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yml'))

const mappings = yaml('rules/mappings')
  .filter((name) => name !== 'placeholders.yml')
  .map((name) => {
    const read = readMapping(name, readFileSync(join('rules/mappings', name), 'utf8'))
    if ('problem' in read) throw new Error(`${name}: ${read.problem.message}`)
    return read.mapping
  })
const files = yaml(rulesDir)
const documents = files.flatMap((name) => {
  const read = readSigma(name, readFileSync(join(rulesDir, name), 'utf8'))
  if (!('problem' in read)) return read.documents
  console.log(`not read: ${name}:${read.problem.line}: ${read.problem.message}`)
  return []
})
const matcher = new SigmaMatcher(assembleRules(documents).rules, mappings)
console.log(
  `${files.length} files, ${documents.length} documents, ${matcher.size} rules mapped, ${matcher.unmapped.length} not`,
)
console.log(`resident memory ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MB`)
for (const recording of recordings) {
  const lines = readFileSync(recording, 'utf8').trim().split('\n')
  const events = lines.map((line) => fromFlatRecord(JSON.parse(line) as Record<string, unknown>))
  for (const event of events.slice(0, warmEvents)) matcher.match(event, 'winlogbeat-8')
  const found = new Map<string, number>()
  const before = process.cpuUsage()
  for (const event of events)
    for (const { title } of matcher.match(event, 'winlogbeat-8')) found.set(title, (found.get(title) ?? 0) + 1)
  const { user, system } = process.cpuUsage(before)
  const micros = (user + system) / events.length
  console.log(
    `${recording}: ${events.length} events, ${micros.toFixed(1)} µs CPU an event, ${(micros / matcher.size).toFixed(3)} µs a rule`,
  )
  for (const [title, count] of [...found].sort(([, left], [, right]) => right - left))
    console.log(`  ${count} ${title}`)
}
