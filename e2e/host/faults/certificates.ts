import type { OperatorHost } from '../installed-host.ts'
import { defineInjection, running, script } from './define-injection.ts'

const volume = '/var/lib/containers/storage/volumes/logstack_certs/_data'
const authority = '/etc/logstack/pki/root-ca'

/** Issues a certificate of a part anew for its own key, under the stack's authority: other dates, or other names. */
async function issue(
  host: OperatorHost,
  part: string,
  options: { from: string; to: string; names: string },
): Promise<void> {
  const { from, to, names } = options
  await host.shell(`
    cd ${volume}
    openssl req -new -key ${part}.key -subj /CN=logstack-${part} -out /root/${part}.csr
    openssl x509 -req -in /root/${part}.csr -CA ${authority}.crt -CAkey ${authority}.key -out /root/${part}.crt \
      -not_before ${from} -not_after ${to} -extfile <(echo 'subjectAltName=${names}')
    cat /root/${part}.crt >${part}.crt`)
}

const allNames = 'DNS:localhost,IP:127.0.0.1'

export const certificateExpired = defineInjection({
  fault: 'certificates',
  name: 'certificate-expired',
  how: 'the certificate of search is one that ended, and search serves it',
  evidence: /the certificate of search expired on 2024-01-01/,
  follows: ['parts-down', 'restart-loop', 'agent-spool'],
  async inject(host) {
    await issue(host, 'search', { from: '20220101000000Z', to: '20240101000000Z', names: allNames })
    await host.run('podman', 'kill', '--signal', 'HUP', 'logstack-search')
  },
})

export const certificateNames = defineInjection({
  fault: 'certificates',
  name: 'certificate-names',
  how: "the certificate of the dashboard does not hold the host's name and address",
  evidence: /the certificate of dashboard does not cover /,
  async inject(host) {
    await issue(host, 'dashboard', { from: '20260101000000Z', to: '20990101000000Z', names: allNames })
  },
})

export const certificateKey = defineInjection({
  fault: 'certificates',
  name: 'certificate-key',
  how: 'the key of agent-server is another one',
  evidence: /the certificate of agent-server does not fit its key/,
  inject: script(`openssl ecparam -name prime256v1 -genkey -noout >${volume}/agent-server.key`),
})

export const certificateForeign = defineInjection({
  fault: 'certificates',
  name: 'certificate-foreign',
  how: 'endpoint-manager is started with a foreign certificate, and its own is put back',
  evidence: /endpoint-manager shows the certificate of \[foreign\.example\]/,
  follows: ['agent-spool', 'agents'],
  inject: script(`
    cd ${volume}
    cp --preserve=all endpoint-manager.* /root
    openssl req -x509 -newkey rsa:2048 -nodes -days 300 -subj /CN=foreign.example -keyout /root/foreign.key -out /root/foreign.crt
    for kind in key crt; do cat /root/foreign.$kind >endpoint-manager.$kind; done
    podman kill --signal HUP logstack-endpoint-manager
    until openssl s_client -connect 127.0.0.1:1514 </dev/null 2>&1 | grep -q foreign.example; do sleep 0.5; done
    for kind in key crt; do cat /root/endpoint-manager.$kind >endpoint-manager.$kind; done`),
})

export const certificateAuthority = defineInjection({
  fault: 'certificate-authority',
  how: "the authority's certificate beside its key is deleted",
  evidence: /root-ca\.crt is missing/,
  follows: ['certificates'],
  inject: running('rm', `${authority}.crt`),
})
