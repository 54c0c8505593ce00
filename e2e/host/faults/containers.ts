import { defineInjection, running, script } from './define-injection.ts'

const image = 'localhost/logstack:LOGSTACK_LATEST'
const killer = 'part-killer.service'

export const deadContainers = defineInjection({
  fault: 'dead-containers',
  how: 'search is stopped, and hand-made containers take its name and depend on it',
  evidence: /has dependent containers which must be removed before it: [0-9a-f]{64}: container already exists/,
  follows: ['restart-loop', 'parts-down'],
  inject: script(`
      systemctl stop logstack-search.service
      podman create --name logstack-search ${image} sleep 1000
      podman create --name leftover --requires logstack-search ${image} sleep 1000
      systemctl start --no-block logstack-search.service
      timeout 120 sh -c "until journalctl -u logstack-search.service --since=-2min | grep -q 'dependent containers'; do sleep 0.2; done"`),
})

export const partsStopped = defineInjection({
  fault: 'parts-down',
  name: 'parts-down',
  how: 'two units are stopped',
  evidence: /logstack-alerter is not running: its unit is inactive/,
  inject: running('systemctl', 'stop', 'logstack-alerter.service', 'logstack-endpoint-manager.service'),
})

export const partPaused = defineInjection({
  fault: 'parts-down',
  name: 'parts-down-paused',
  how: 'a container is paused, its unit stays active',
  evidence: /logstack-alerter is Paused/,
  inject: running('podman', 'pause', 'logstack-alerter'),
})

export const partKilled = defineInjection({
  fault: 'restart-loop',
  name: 'restart-loop',
  how: 'a part is killed each time it starts',
  evidence: /it is killed \(exit code 137\), and not for lack of memory/,
  inject: script(`
      systemd-run --quiet --unit=${killer} --collect \
        bash -c 'while sleep 0.5; do pkill -KILL --full "^node .*/alerter[.]mjs"; done'
      timeout 180 bash -c '
        until [ "$(systemctl show --property=NRestarts --value logstack-alerter.service)" -ge 3 ]; do sleep 0.3; done'`),
  // A part that is left alone calms down after a minute: it is killed until it was seen.
  beforeRepair: running('systemctl', 'stop', killer),
  restore: script(`systemctl stop ${killer} 2>/dev/null || true`),
})
