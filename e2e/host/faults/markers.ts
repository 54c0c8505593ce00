import { defineInjection, running, script } from './define-injection.ts'

const marker = '/opt/logstack/FLEET_SETUP_FINISHED'

export const markerMissing = defineInjection({
  fault: 'markers',
  name: 'markers',
  how: 'a marker file is deleted',
  evidence: /FLEET_SETUP_FINISHED is missing/,
  inject: running('rm', marker),
})

export const markerFalse = defineInjection({
  fault: 'markers',
  name: 'markers-false',
  how: 'marker files get content, another mode and another owner',
  evidence: /FLEET_SETUP_FINISHED is not empty/,
  inject: script(
    `echo done >${marker}; cd /opt/logstack/dashboards; chmod 600 search/INSTALLED; chown daemon endpoint/INSTALLED`,
  ),
})
