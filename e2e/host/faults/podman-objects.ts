import { defineInjection, running, script } from './define-injection.ts'

export const networkMissing = defineInjection({
  fault: 'network',
  how: "podman's network is removed, with the containers in it",
  evidence: /podman has no network \[logstack\]/,
  follows: ['restart-loop', 'parts-down'],
  inject: running('podman', 'network', 'rm', '--force', '--time', '1', 'logstack'),
})

export const imageMissing = defineInjection({
  fault: 'image',
  how: "the image's name is taken away",
  evidence: /the image localhost\/logstack:LOGSTACK_LATEST is missing/,
  inject: running('podman', 'untag', 'localhost/logstack:LOGSTACK_LATEST'),
})

export const imageOutdated = defineInjection({
  fault: 'image',
  name: 'image-outdated',
  how: 'the image and a part that runs of it are of other programs than are installed, as an upgrade leaves them that was cut off',
  evidence: /logstack-alerter was made of an image with other programs/,
  inject: script(`
      echo 'FROM localhost/logstack:LOGSTACK_LATEST' |
        podman build --quiet --label logstack.programs=before --tag localhost/logstack:LOGSTACK_LATEST --file - "$(mktemp --directory)"
      logstack restart alerter`),
})

export const imageBase = defineInjection({
  fault: 'image',
  name: 'image-base',
  how: 'the image is built anew of the same programs on a newer base, and its parts run on, as after a base of which an update was fetched',
  evidence: /logstack-search was made of an image with other programs, or on another base/,
  inject: script(`
      echo 'FROM localhost/logstack:LOGSTACK_LATEST' |
        podman build --quiet --label logstack.base=newer --tag localhost/logstack:LOGSTACK_LATEST --file - "$(mktemp --directory)"`),
})

export const secretMissing = defineInjection({
  fault: 'podman-secrets',
  how: "an entry of podman's secret store is removed, the vault file stays",
  evidence: /podman has no secret \[logstack_alerter\]/,
  inject: running('env', 'LOGSTACK_SECRET_NAME=logstack_alerter', 'podman', 'secret', 'rm', 'logstack_alerter'),
})

export const volumeMissing = defineInjection({
  fault: 'volumes',
  how: 'the dashboard is stopped and its volume removed, which holds nothing but its sessions',
  evidence: /logstack_data_dashboard/,
  follows: ['parts-down', 'owners'],
  inject: script('systemctl stop logstack-dashboard.service; podman volume rm --force logstack_data_dashboard'),
})

export const ownerWrong = defineInjection({
  fault: 'owners',
  how: "a volume is given to root, everyone may read a part's key, and only root a settings file",
  evidence: /logstack_data_alerter[\s\S]*chmod g\+rX '\/opt\/logstack\/config\/alerter\.yml'/,
  inject: script(
    'cd /var/lib/containers/storage/volumes; chown root:root logstack_data_alerter/_data; chmod 644 logstack_certs/_data/alerter.key; chmod 600 /opt/logstack/config/alerter.yml',
  ),
})

export const ownersWithin = defineInjection({
  fault: 'owners',
  name: 'owners-within',
  how: "search's files belong to root but for the folder they lie in, as after `cp -r` by root, and search is started",
  evidence: /logstack_data_search\/_data/,
  follows: ['restart-loop', 'parts-down'],
  inject: script(`
      volume=/var/lib/containers/storage/volumes/logstack_data_search/_data
      systemctl stop logstack-search.service
      find $volume -mindepth 1 -exec chown root:root {} +
      systemctl start --no-block logstack-search.service
      timeout 120 sh -c 'until [ "$(systemctl show --property=NRestarts --value logstack-search.service)" -ge 2 ]; do sleep 0.2; done'`),
})

export const loginShell = defineInjection({
  fault: 'login-shell',
  how: "the file of root's login shell is deleted",
  evidence: /\/etc\/profile\.d\/logstack\.sh/,
  inject: running('rm', '/etc/profile.d/logstack.sh'),
})

export const podmanMissing = defineInjection({
  fault: 'container-runtime',
  how: "podman's program is moved away",
  evidence: /podman is not installed/,
  follows: ['parts-down', 'restart-loop', 'units'],
  isLeft: true,
  inject: running('mv', '/usr/bin/podman', '/usr/bin/podman.away'),
  restore: script('[ ! -e /usr/bin/podman.away ] || mv /usr/bin/podman.away /usr/bin/podman'),
})
