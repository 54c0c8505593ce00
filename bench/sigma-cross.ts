import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMapping, readSigma, SigmaMatcher, type SigmaRule } from '../packages/rules/src/index.ts'
import { fromEventLog } from '../packages/rules/src/sigma/windows-event.testing.ts'

// Every rule on every rule's event: `node tools/run-ts.mjs bench/sigma-cross.ts FIXTURES`, folders with a `rule.yml` and an `event.json` each.
// Ends with 1 when a rule misses its own event. What rules match of others' events is listed, to be judged by a person.

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: bench/sigma-cross.ts FIXTURES')
const mappings = readdirSync('rules/mappings')
  .filter((name) => name !== 'placeholders.yml')
  .map((name) => {
    const read = readMapping(name, readFileSync(join('rules/mappings', name), 'utf8'))
    if ('problem' in read) throw new Error(`${name}: ${read.problem.message}`)
    return read.mapping
  })

interface Case {
  readonly rules: readonly SigmaRule[]
  readonly events: readonly unknown[]
}

const cases = readdirSync(folder).map((name): Case => {
  const read = readSigma(name, readFileSync(join(folder, name, 'rule.yml'), 'utf8'))
  if ('problem' in read) throw new Error(`${name}: ${read.problem.message}`)
  const text = readFileSync(join(folder, name, 'event.json'), 'utf8').trim()
  const events = text.split(/(?<=^\})\s*\n(?=\{)/mu).map((part) => fromEventLog(JSON.parse(part)) as unknown)
  return { rules: read.documents.filter((document) => document.kind === 'rule'), events }
})
const rules = cases.flatMap((one) => one.rules)
const matcher = new SigmaMatcher(rules, mappings)
let [own, pairs] = [0, 0]
const foreign: string[] = []
for (const { rules: owners, events } of cases) {
  const found = new Set(events.flatMap((event) => matcher.match(event, 'winlogbeat-8')).map(({ id }) => id))
  own += owners.filter(({ id }) => found.has(id)).length
  pairs += rules.length - owners.length
  for (const rule of rules.filter(({ id }) => found.has(id) && !owners.some((owner) => owner.id === id)))
    foreign.push(`${rule.title}  <-  event of: ${owners.map(({ title }) => title).join(', ')}`)
}
console.log(`${own} of ${rules.length} rules match their own event`)
console.log(`${foreign.length} of ${pairs} pairs of a rule and another rule's event match:`)
for (const line of foreign.sort()) console.log(`  ${line}`)
process.exitCode = own === rules.length ? 0 : 1
