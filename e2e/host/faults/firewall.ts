import { defineInjection, script } from './define-injection.ts'

const table = 'table inet office'

export const firewallDrops = defineInjection({
  fault: 'firewall',
  how: 'a rule set of nftables drops everything that comes in but established connections, and so the names that containers ask for',
  evidence: /nftables drops what the containers need among themselves/,
  async inject(host) {
    const rules = 'type filter hook input priority 0; policy drop; iif lo accept; ct state established,related accept;'
    await host.run('nft', `add ${table} { chain input { ${rules} }; }`)
  },
  restore: script(`
      nft delete ${table} 2>/dev/null || true
      systemctl disable --quiet logstack-firewall.service 2>/dev/null || true
      rm -f /etc/systemd/system/logstack-firewall.service
      systemctl daemon-reload`),
})
