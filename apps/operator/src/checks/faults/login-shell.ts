import { launcher } from '../../steps/host/units.ts'
import { defineStepFault } from './step-fault.ts'

/** Root's login shell lacks the command or the key of the vault. */
export const loginShell = defineStepFault({
  name: 'login-shell',
  title: "root's login shell",
  runtimes: ['podman'],
  step: launcher,
  healthy: 'knows the command and the key of the vault',
  problem: (plan) => `the login shell is not set up: ${plan.join('; ')}`,
  meaning: '`sudo -i logstack …` is not found, or `ansible-vault view` asks for a password',
})
