import { createChdbEngine } from '../apps/search/src/engine/chdb.ts'
import { mkdtempSync } from 'node:fs'
const e = await createChdbEngine({ directory: mkdtempSync('/tmp/zz-') })
for (const q of process.argv.slice(2)) { try { console.log(q, '\n  =>', JSON.stringify(await e.rows({ text: q } as any), (_, v) => typeof v === 'bigint' ? v + 'n' : v)) } catch (x: any) { console.log(q, '\n  !!', String(x.cause?.message ?? x).slice(0, 300)) } }
await e.close()
