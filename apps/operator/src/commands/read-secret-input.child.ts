import { ask, readSecretInput } from './read-secret-input.ts'

// A command that asks, for the test of that: questions and secrets, in the order they are given.
for (const what of process.argv.slice(2)) {
  const answer = await (what === 'secret' ? readSecretInput('Password: ') : ask('Go on? '))
  process.stdout.write(`answer[${answer}]\n`)
}
