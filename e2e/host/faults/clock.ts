import { defineInjection, running } from './define-injection.ts'

const program = '/opt/logstack-install/dist/operator.mjs'

export const clockBehind = defineInjection({
  fault: 'clock',
  how: 'the installed programs are dated to tomorrow, as a clock sees them that went back by a day (the host shares its clock with the machine under it)',
  evidence: /the clock says \S+, before the programs were built/,
  isLeft: true,
  inject: running('touch', '--date=tomorrow', program),
  restore: running('touch', program),
})
