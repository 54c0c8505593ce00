import { defineInjection, running, script } from './define-injection.ts'

const vault = '/etc/logstack/vault'

export const vaultMode = defineInjection({
  fault: 'vault',
  name: 'vault-mode',
  how: 'everyone may read a secret and the key',
  evidence: /vault\/elastic has mode 644 instead of 600/,
  inject: running('chmod', '644', `${vault}/elastic`, '/etc/logstack/vault-key'),
})

export const vaultFile = defineInjection({
  fault: 'vault',
  name: 'vault-file',
  how: 'one secret is deleted, another one overwritten with garbage',
  evidence: /logstack_alerter: there is no secret/,
  inject: script(`rm ${vault}/logstack_alerter; echo garbage >${vault}/logstack_dashboard`),
})

export const vaultKey = defineInjection({
  fault: 'vault',
  name: 'vault-key',
  how: 'the key of the vault is deleted',
  evidence: /vault-key is missing or empty/,
  // Without the key nobody logs in, and what needs a login cannot be looked at.
  inject: running('rm', '/etc/logstack/vault-key'),
})
