// Run by power-cut.int.test.ts on a disk whose power is cut: sends without an end and writes down what was sent, as the alerter does. Says on standard output, in JSON lines, what
// the journal knows of before, what it has on disk, and what it may forget.
import { writeSync } from 'node:fs'
import { SentJournal } from './sent-journal.ts'

const [path = '', from = '0', ...asked] = process.argv.slice(2)
const journal = new SentJournal(path)
const say = (told: object): void => void writeSync(1, `${JSON.stringify(told)}\n`)
say({ known: asked.filter((id) => journal.has(id, 'debug')) })
journal.forget(asked, ['debug'])
function send(number: number): void {
  const ids = Array.from({ length: 1 + (number % 3) }, (_, at) => `alert-${number}-${at}`)
  journal.record(ids, 'debug')
  say({ number, sent: ids })
  if (number % 7 === 0) {
    // From here on search knows of them, whether the journal does or not.
    say({ forgetting: ids })
    journal.forget(ids, ['debug'])
  }
  setImmediate(() => send(number + 1))
}
send(Number(from))
