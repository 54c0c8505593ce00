// docs/performance.md from the figures of one run.
import { cpus, totalmem } from 'node:os'

const number = (value, digits = 0) =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })

const ownSections = ['Start', 'Memory, in MB', 'Taking in', 'Searching']

/** The sections of a page that are written by hand or by other commands. */
function otherSections(page) {
  const [, ...sections] = page.split(/^## /mu)
  return sections
    .filter((section) => !ownSections.includes(section.split('\n', 1)[0]))
    .map((section) => `## ${section.trim()}\n`)
}

/** The page; every figure stands with the command that made it. What `former` says beside that of a run stays. */
export function renderReport(figures, former) {
  const { command, commit, date, load, start, idle, loaded, ingest, searches } = figures
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${number(totalmem() / 2 ** 30)} GiB`
  const starts = [
    ...(start.coldS === undefined
      ? []
      : [`| fresh clone to ready, npm packages and build included | ${number(start.coldS, 1)} s |`]),
    `| set-up to ready, built checkout, empty data directory | ${number(start.firstS, 1)} s |`,
    `| second start, data of this run (${number(ingest.docs)} documents) | ${number(start.secondS, 1)} s |`,
  ]
  const memory = idle.parts.map(({ part, rssMb, pssMb }) => {
    const later = loaded.parts.find((other) => other.part === part)
    return `| ${part} | ${number(pssMb)} | ${number(rssMb)} | ${number(later?.pssMb ?? 0)} |`
  })
  const timed = searches.map(({ name, hits, apiMs, ninetiethMs, clientsMs, sqlMs }) => {
    const sql = sqlMs === undefined ? ['–', '–'] : [number(sqlMs, 1), apiMs <= 1.25 * sqlMs + 2 ? 'yes' : 'no']
    return `| ${name} | ${number(hits)} | ${number(apiMs, 1)} | ${number(ninetiethMs, 1)} | ${number(clientsMs, 1)} | ${sql[0]} | ${sql[1]} |`
  })
  return `# Performance

Made by \`${command}\` at commit ${commit} on ${date}: ${machine}; client and server on the same machine,
Node ${process.version}. The machine's load was ${number(load, 1)} before the run (0 is a quiet one). Read ratios, not digits: runs on one machine differ up to twofold.

## Start

| what | time |
|---|---|
${starts.join('\n')}

## Memory, in MB

Idle for ten seconds after the first start; PSS counts pages that processes share once. The last column is after the load below.

| part | PSS idle | RSS idle | PSS after load |
|---|---|---|---|
${memory.join('\n')}
| all | ${number(idle.pssMb)} | ${number(idle.rssMb)} | ${number(loaded.pssMb)} |

## Taking in

${number(ingest.docs)} documents in the shape of the big5 workload (${number(ingest.documentBytes / ingest.docs)} bytes each) through \`_bulk\`, 5,000 a
request, ${ingest.connections} connections, each answered only when on disk.

| documents/s | MB/s | bytes on disk per byte in |
|---|---|---|
| ${number(ingest.docs / ingest.seconds)} | ${number(ingest.documentBytes / ingest.seconds / 1e6, 1)} | ${number(ingest.diskBytes / ingest.documentBytes, 2)} |

## Searching

By \`bench/searches-over-tls.ts\`, without the rest of the stack: median (p50) and nine tenths (p90) of 30 runs after 5, one client in a process of its own, over HTTPS until the whole answer is
there, no result cache; p50 of four clients at once. After each run its statements are run by themselves in the same engine: SQL. The goal is a p50 of 1.25 times the SQL and 2 ms. What is
found is compared with what was written (\`expectedOf\` in \`bench/searches.mjs\`).

| search (names of big5; * ours) | hits or buckets | p50, ms | p90, ms | 4 clients, ms | SQL, ms | within the goal |
|---|---|---|---|---|---|---|
${timed.join('\n')}

${otherSections(former).join('\n')}`
}
