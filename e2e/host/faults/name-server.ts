import { defineInjection, script } from './define-injection.ts'

const pidFile = '/run/containers/networks/aardvark-dns/aardvark.pid'

export const nameServerKilled = defineInjection({
  fault: 'name-server',
  name: 'name-server',
  how: "podman's name server (aardvark-dns) is killed, the containers run on",
  evidence: /port 53, where the containers ask for names, refuses questions/,
  follows: ['parts-down', 'restart-loop'],
  inject: script(`
      pid=$(cat ${pidFile})
      kill -KILL "$pid"
      timeout 60 sh -c "while [ -e /proc/$pid ]; do sleep 0.1; done"`),
})

export const nameServerStopped = defineInjection({
  fault: 'name-server',
  name: 'name-server-stopped',
  how: "podman's name server (aardvark-dns) is stopped (SIGSTOP) and answers no question",
  evidence: /aardvark-dns is process \d+, stopped/,
  follows: ['parts-down', 'restart-loop'],
  inject: async (host) => {
    await host.shell(`kill -STOP "$(cat ${pidFile})"`)
  },
})

export const resolverMissing = defineInjection({
  fault: 'name-server',
  name: 'name-server-resolver',
  how: "/etc/resolv.conf is deleted, as with the package that kept it, podman's name server is ended and a part started",
  evidence: /there is no \/etc\/resolv\.conf/,
  follows: ['parts-down', 'restart-loop'],
  inject: script(`
      cp --dereference /etc/resolv.conf /root/resolv.conf.before
      rm /etc/resolv.conf
      pid=$(cat ${pidFile})
      kill -KILL "$pid"
      timeout 60 sh -c "while [ -e /proc/$pid ]; do sleep 0.1; done"
      systemctl restart --no-block logstack-alerter.service
      timeout 120 sh -c 'until [ "$(systemctl show --property=NRestarts --value logstack-alerter.service)" -ge 2 ]; do sleep 0.2; done'`),
  restore: script('[ ! -e /root/resolv.conf.before ] || mv /root/resolv.conf.before /etc/resolv.conf'),
})
