import { ask, readSecretInput } from './read-secret-input.ts'

// A command that asks at its terminal, for the test of that: a question, or a secret.
const answer = await (process.argv[2] === 'secret' ? readSecretInput('Password: ') : ask('Go on? '))
process.stdout.write(`answer[${answer}]\n`)
