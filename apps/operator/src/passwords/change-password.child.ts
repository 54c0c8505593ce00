import { openStack } from '../stack.ts'
import { withSearchAt } from '../testing/stack-on-search.ts'
import { changePassword } from './change-password.ts'

// An operator that changes a password and is killed in the middle, for the test of that: POINT DATA_DIR PROGRAM_DIR SEARCH_URL USER PASSWORD.
const [point, dataDir = '', programDir = '', url = '', username = '', password = ''] = process.argv.slice(2)
const stack = withSearchAt(openStack({ dataDir, programDir }), url)
const { vault } = stack
const die = (): void => void process.kill(process.pid, 'SIGKILL')
const [stage, commit] = [vault.stage.bind(vault), vault.commitStaged.bind(vault)]
vault.stage = (name, value) => {
  stage(name, value)
  if (point === 'noted') die()
}
vault.commitStaged = (name) => {
  if (point === 'changed in search') die()
  commit(name)
  if (point === 'stored') die()
}
await changePassword(stack, username, password, (doing) => {
  if (doing.startsWith(point ?? '')) die()
})
