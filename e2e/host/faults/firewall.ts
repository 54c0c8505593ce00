import { defineInjection, running, script } from './define-injection.ts'

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

export const rulesFlushed = defineInjection({
  fault: 'published-ports',
  how: "`nft flush ruleset`, as Debian's `nftables.service` begins when it is restarted, takes podman's rules away",
  evidence: /search answers at 10\.\S+:9200, and at 127\.0\.0\.1:9200/,
  follows: ['agents', 'agent-spool', 'certificates'],
  inject: running('nft', 'flush', 'ruleset'),
})
