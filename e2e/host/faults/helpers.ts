import { defineInjection } from './define-injection.ts'

export const helpersIdle = defineInjection({
  fault: 'helper-units',
  how: "the timer of certificates is stopped, the watch for passwords disabled, the host's agent stopped, and a helper failed",
  evidence:
    /logstack-certs\.timer is inactive; logstack-password\.path is inactive; logstack-agent\.service is inactive; logstack-doctor\.service failed \(exit-code\)/,
  async inject(host) {
    await host.shell(`
      systemctl stop logstack-certs.timer logstack-agent.service
      systemctl disable --now logstack-password.path
      systemctl stop logstack-doctor.service
      mv /usr/local/bin/logstack /usr/local/bin/logstack.away
      systemctl start logstack-doctor.service
      mv /usr/local/bin/logstack.away /usr/local/bin/logstack`)
  },
})

const table = 'table inet office'

export const firewallDrops = defineInjection({
  fault: 'firewall',
  how: 'a rule set of nftables drops everything that comes in but established connections, and so the names that containers ask for',
  evidence: /nftables drops what the containers need among themselves/,
  async inject(host) {
    const rules = 'type filter hook input priority 0; policy drop; iif lo accept; ct state established,related accept;'
    await host.run('nft', `add ${table} { chain input { ${rules} }; }`)
  },
  async restore(host) {
    await host.shell(`
      nft delete ${table} 2>/dev/null || true
      systemctl disable --quiet logstack-firewall.service 2>/dev/null || true
      rm -f /etc/systemd/system/logstack-firewall.service
      systemctl daemon-reload`)
  },
})
