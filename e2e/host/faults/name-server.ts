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
