import { createLogger } from '@logstack/logging'
import { isolateAction } from '../actions/isolate.ts'
import { dataPaths } from '../data-directory.ts'
import { HostIsolation } from './host-isolation.ts'

// What the agent does in the network namespace of a test: the folder and the wish are its arguments.
const [folder = '', wish = '{}'] = process.argv.slice(2)
const { servers, restore, ...data } = JSON.parse(wish) as { servers: string[]; restore?: boolean }
const isolation = new HostIsolation(dataPaths(folder), () => servers)
if (restore) await isolation.restore(createLogger('agent', 'error'))
else process.stdout.write((await isolateAction.perform(data, { isolation } as never)).message)
