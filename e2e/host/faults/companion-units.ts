import { defineInjection } from './define-injection.ts'

export const companionsIdle = defineInjection({
  fault: 'companion-units',
  how: "the timer of certificates is stopped, the watch for passwords disabled, the host's agent stopped, and one of their services failed",
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
