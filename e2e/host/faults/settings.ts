import { defineInjection, script } from './define-injection.ts'

export const configurationBroken = defineInjection({
  fault: 'configuration',
  how: 'a settings file gets a key that the part does not know, and the part restarts',
  evidence: /alerter.*no_such_setting/,
  follows: ['restart-loop', 'parts-down'],
  inject: script(`
      echo 'no_such_setting: 1' >>/opt/logstack/config/alerter.yml
      systemctl restart --no-block logstack-alerter.service
      timeout 120 sh -c 'until [ "$(systemctl show --property=NRestarts --value logstack-alerter.service)" -ge 2 ]; do sleep 0.2; done'`),
  restore: script('rm -f /opt/logstack/config/*.broken'),
})

export const memoryTooMuch = defineInjection({
  fault: 'memory',
  how: "search's heap is set to more than the host has",
  evidence: /the heap of 4096\.0 GB does not fit into this host's/,
  inject: script(`
      echo 'Environment="ES_JAVA_OPTS=-Xms4096g -Xmx4096g"' |
        sed -i '/^\\[Container\\]/r /dev/stdin' /etc/containers/systemd/logstack-search.container
      systemctl daemon-reload`),
})

export const portTaken = defineInjection({
  fault: 'ports',
  how: 'a part is stopped, another program takes its port, and the part is started',
  evidence: /port 8220, which logstack-agent-server needs, is used by node \(process \d+\)/,
  follows: ['restart-loop', 'parts-down'],
  async inject(host) {
    const listen = `require('net').createServer().listen(8220, '0.0.0.0', () => require('fs').writeFileSync('/run/port-taken', ''))`
    await host.shell(`
      rm -f /run/port-taken
      systemctl stop logstack-agent-server.service
      systemd-run --unit=port-thief.service --collect node -e "${listen}"
      timeout 60 sh -c 'until [ -e /run/port-taken ]; do sleep 0.1; done'
      systemctl start --no-block logstack-agent-server.service
      timeout 120 sh -c 'until [ "$(systemctl show --property=NRestarts --value logstack-agent-server.service)" -ge 2 ]; do sleep 0.2; done'`)
  },
  restore: script('systemctl stop port-thief.service 2>/dev/null || true'),
})
