import { defineInjection, running, script } from './define-injection.ts'

const file = '/opt/logstack/logstack-environment.env'

export const environmentMode = defineInjection({
  fault: 'environment-file',
  name: 'environment-file',
  how: 'everyone may read the environment file',
  evidence: /has mode 644 instead of 600/,
  inject: running('chmod', '644', file),
})

export const environmentAddress = defineInjection({
  fault: 'environment-file',
  name: 'environment-file-address',
  how: 'the environment file gets text behind the address and a line that is no assignment',
  evidence: /IPVAR=127\.0\.0\.1 # the office has text behind the address/,
  inject: script(`sed -i 's/^IPVAR=.*/& # the office/' ${file}; echo 'please restart' >>${file}`),
})
