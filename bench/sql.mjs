// The statements that searches become, timed without search around them: read from search's log, then run on the same data by themselves.
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Session } from 'chdb'
import { medianMs } from './searches.mjs'

const databaseName = 'logstack'

/** Runs each search twice while search logs what it reads; answers the statements by the search's name. The stack must be up. */
export async function collectStatements(stack, index, searches) {
  const environmentFile = join(stack.dataDir, 'opt/logstack/logstack-environment.env')
  const environment = readFileSync(environmentFile)
  appendFileSync(environmentFile, 'LOGSTACK_LOG_LEVEL=trace\n')
  await stack.command('restart', 'search')
  writeFileSync(environmentFile, environment)
  const log = join(stack.dataDir, 'var/log/logstack/logstack-search.log')
  const path = `/${index}/_search?request_cache=false`
  const readsOf = async (body) => {
    const from = statSync(log).size
    await stack.send('POST', path, body)
    const lines = readFileSync(log).subarray(from).toString().split('\n')
    return lines.filter((line) => line.includes('"statement"')).map((line) => JSON.parse(line))
  }
  // Other parts read too: ours are the statements about the table that a search for a word nobody has reads.
  const word = 'nobody-has-this'
  const own = (await readsOf({ query: { term: { trace_id: word } } })).find(({ statement }) => statement.includes(word))
  const table = /FROM (`events_\d+`)/.exec(own?.statement ?? '')?.[1]
  if (table === undefined) throw new Error(`search logged no statement for the word [${word}]`)
  const collected = new Map()
  for (const [name, body] of searches) {
    // The second time, as it is timed: the first one also asks what is remembered from then on.
    await readsOf(body)
    const statements = (await readsOf(body)).filter(({ statement }) => statement.includes(table))
    if (statements.length === 0) throw new Error(`search logged no statement of ${name}`)
    collected.set(name, statements)
  }
  return collected
}

/** The median milliseconds of each search's statements, run one after the other on the data directory of a stopped stack. */
export async function timeStatements(stack, collected) {
  const session = new Session(join(stack.dataDir, 'var/lib/logstack/volumes/logstack_data_search/engine'))
  await session.queryAsync(`USE ${databaseName}`)
  const medians = new Map()
  for (const [name, statements] of collected) {
    const run = async () => {
      for (const { statement, format } of statements) await session.queryAsync(statement, format)
    }
    medians.set(name, await medianMs(run))
  }
  session.close()
  return medians
}
