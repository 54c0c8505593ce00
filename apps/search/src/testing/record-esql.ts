import { writeFileSync } from 'node:fs'
import {
  type Ask,
  askQuery,
  makeIndices,
  printRecorded,
  type RecordedCase,
  readRecorded,
  removeIndices,
} from '../esql/recorded.fixture.ts'

// `node tools/run-ts.mjs apps/search/src/testing/record-esql.ts URL FILE`: asks a server of your choice every query of a file of apps/search/src/esql/recorded again and writes its answers
// into the file. A query that is only `{"query": …}` gets its first. The indices of the file are made there, and removed again.
const [url, name] = process.argv.slice(2)
if (url === undefined || name === undefined) throw new Error('usage: record-esql.ts URL FILE')

const ask: Ask = async (path, request) => {
  const answer = await fetch(new URL(path, url), { ...request, headers: { 'content-type': 'application/json' } })
  return {
    status: answer.status,
    warning: answer.headers.get('warning') ?? undefined,
    text: await answer.text(),
  }
}

const file = readRecorded(name)
const { text } = await ask('/_nodes/http?filter_path=nodes.*.version', { method: 'GET' })
const server = /"version":"([^"]+)"/u.exec(text)?.[1]
if (server === undefined) throw new Error(`no Elasticsearch at ${url}: ${text}`)
await makeIndices(ask, file)
try {
  const cases: RecordedCase[] = []
  for (const { query, with: beside, differs, warningsDiffer } of file.cases) {
    const asked = { query, ...(beside === undefined ? {} : { with: beside }) }
    const notes = {
      ...(differs === undefined ? {} : { differs }),
      ...(warningsDiffer === undefined ? {} : { warningsDiffer }),
    }
    cases.push({ ...asked, ...(await askQuery(ask, asked)), ...notes })
  }
  writeFileSync(name, printRecorded({ ...file, server, cases }))
  process.stdout.write(`${cases.length} answers of Elasticsearch ${server} written to ${name}\n`)
} finally {
  await removeIndices(ask, file)
}
