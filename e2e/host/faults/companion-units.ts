import { defineInjection, script } from './define-injection.ts'

export const companionsIdle = defineInjection({
  fault: 'companion-units',
  how: "the timer of certificates is stopped, the watch for passwords disabled, the host's agent stopped, and one of their services failed",
  evidence:
    /logstack-certs\.timer is inactive; logstack-password\.path is inactive; logstack-agent\.service is inactive; logstack-certs\.service failed \(exit-code\)/,
  // The service whose timer is stopped: no later run of it ends well before doctor looks.
  inject: script(`
      systemctl stop logstack-certs.timer logstack-agent.service
      systemctl disable --now logstack-password.path
      mv /usr/local/bin/logstack /usr/local/bin/logstack.away
      systemctl start logstack-certs.service
      mv /usr/local/bin/logstack.away /usr/local/bin/logstack`),
})
