import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { whyNoHost } from './debian-host.ts'
import { makeDisk, whyNoDisk } from './faults/disk.ts'
import { runGuide } from './guide.ts'
import { bootOperatorHost, installArgv as install, type OperatorHost, partNames as parts } from './installed-host.ts'
import { baseImage } from './podman-host.ts'

// The tests follow one host's life: they run in order, and each goes on where the one before ended.
const reason = whyNoHost()
let host: OperatorHost

const run = (...argv: string[]): Promise<string> => host.run(...argv)
// As on a hardened host: what root's shell makes is closed to all others.
const shell = (script: string): Promise<string> => host.shell(`umask 077; ${script}`)
const allUp = (): Promise<string> => host.allUp()

beforeAll(async () => {
  if (reason) return
  host = await bootOperatorHost('install')
  // Cloned and built in such a shell.
  await run('chmod', '--recursive', 'go=', '.')
}, 900_000)

afterAll(async () => {
  if (!reason) await host.down()
}, 120_000)

test.skipIf(reason)('a dry run shows the commands and changes nothing', async () => {
  const plan = await shell('./logstack install --dry-run 2>&1')
  expect(plan).toContain('podman volume create --ignore logstack_certs')
  expect(plan).toContain('podman build')
  expect(plan).toContain('systemctl start --no-block logstack-search.service')
  expect(plan).toContain('PUT /_index_template/logstack-winlogbeat')
  expect(plan).toContain('touch /opt/logstack/FLEET_SETUP_FINISHED')
  expect(readdirSync(join(host.root, 'opt'))).toEqual([])
  expect(existsSync(join(host.root, 'etc/logstack'))).toBe(false)
})

test.skipIf(reason)(
  'a host that lacks something is refused with one sentence and its fix, and nothing is changed',
  async () => {
    const listen = `node -e 'require("net").createServer().listen(9200, "0.0.0.0")' & trap "kill $!" EXIT; sleep 1`
    const refused = await shell(`${listen}; ./logstack install --yes 2>&1 || echo "exit $?"`)
    expect(refused).toMatch(/port 9200, which logstack-search needs, is used by node \(process \d+\)/)
    expect(refused).toMatch(/fix: stop it with: kill \d+/)
    expect(refused).toMatch(/exit [1-9]/)
    expect(existsSync(join(host.root, 'etc/logstack'))).toBe(false)
  },
)

test.skipIf(reason)('a heap set before the installation is written into the clone', async () => {
  await shell('./logstack memory set --heap 3g')
  expect(await run('cat', 'quadlet/logstack-search.container')).toContain('Environment="ES_JAVA_OPTS=-Xms3g -Xmx3g"')
})

test.skipIf(reason)(
  'a step that fails says why, Ctrl-C ends it in order, and the same command goes on',
  async () => {
    const absent = await shell('./logstack install --yes --base-image localhost/absent:1 2>&1 || echo "exit $?"')
    expect(absent).toMatch(/container image +FAILED/)
    expect(absent).toContain('the image could not be built')
    expect(absent).toMatch(/fix: if localhost\/absent:1 cannot be fetched, load one and name it/)
    expect(absent).toMatch(/run it again, and it goes on[\s\S]*exit [1-9]/)
    const building = "pgrep -xa podman | grep -q ' build '"
    const interrupted = await shell(`${install.join(' ')} >/root/out 2>&1 & pid=$!
      until ${building} || ! kill -0 $pid; do sleep 0.2; done
      kill -INT $pid; wait $pid || echo "exit $?"; cat /root/out; ${building} && echo 'still builds' || true`)
    expect(interrupted).toMatch(/^exit 130$/m)
    expect(interrupted).toContain('SIGINT: what was done stays')
    // So a repair after a power cut builds on what was asked for; what failed above is not kept.
    expect(await run('cat', '/etc/logstack/base-image')).toBe(`${baseImage}\n`)
    expect(interrupted).not.toContain('still builds')
    await shell("echo 'no_such_key: 1' >/opt/logstack/config/alerter.yml")
    const down = await shell(`${install.join(' ')} 2>&1 || echo "exit $?"`)
    expect(down).toMatch(/endpoint-manager, dashboard, alerter +FAILED/)
    expect(down).toMatch(/logstack-alerter does not start: .*no_such_key/)
    await shell('cp config/alerter.yml /opt/logstack/config/alerter.yml')
  },
  600_000,
)

test.skipIf(reason)(
  'an installation on the bare host ends with five parts up',
  async () => {
    await shell(install.join(' '))
    const lines = await allUp()
    expect(lines.trim().split('\n').sort()).toEqual([
      expect.stringMatching(/^logstack-agent-server Up [^()]+$/),
      expect.stringMatching(/^logstack-alerter Up [^()]+$/),
      expect.stringMatching(/^logstack-dashboard Up [^()]+ \(healthy\)$/),
      expect.stringMatching(/^logstack-endpoint-manager Up [^()]+$/),
      expect.stringMatching(/^logstack-search Up [^()]+ \(healthy\)$/),
    ])
    expect(await shell('podman ps --all --quiet | wc -l')).toBe('5\n')
  },
  400_000,
)

test.skipIf(reason)('units, marker files, environment file and links are as the interface says', async () => {
  const units = await shell('systemctl list-unit-files logstack\\* --no-legend --no-pager')
  for (const part of parts) expect(units).toMatch(new RegExp(`^logstack-${part}\\.service +generated`, 'm'))
  expect(units).toMatch(/^logstack\.service +enabled/m)
  const markers = 'FLEET_SETUP_FINISHED dashboards/search/INSTALLED dashboards/endpoint/INSTALLED'
  expect(await shell(`cd /opt/logstack && stat --format='%A %U %s' ${markers}`)).toBe('-rw-r--r-- root 0\n'.repeat(3))
  expect(await run('stat', '--format=%a %U', '/opt/logstack/logstack-environment.env')).toBe('600 root\n')
  expect(await run('readlink', '/opt/logstack/quadlet')).toBe('/etc/containers/systemd\n')
  const authority = `cd '/opt/logstack/Chapter 3 Files/certs' && stat --format='%a %U' root-ca.crt . ..`
  expect(await shell(authority)).toBe('644 root\n755 root\n755 root\n')
  expect(await shell('podman inspect --format "{{.Config.User}}" logstack-search')).toBe('7001:7001\n')
  const definition = await run('cat', '/etc/containers/systemd/logstack-search.container')
  for (const line of [
    'EnvironmentFile=/opt/logstack/logstack-environment.env',
    'Image=localhost/logstack:LOGSTACK_LATEST',
    'Network=logstack',
    'PublishPort=9200:9200',
    'Ulimit=memlock=-1:-1',
    'Volume=logstack_certs:/usr/share/logstack/config/certs:ro',
  ])
    expect(definition.split('\n')).toContain(line)
  const { ceilingBytes } = JSON.parse(await run('logstack', 'memory', 'show', '--json'))
  expect(ceilingBytes).toBe(3 * 1024 ** 3)
  // What SELinux lets a container read is labelled for it: its own secrets for it alone, what all share for all.
  const command = await shell("podman inspect --format '{{.Config.CreateCommand}}' logstack-search")
  expect(command).toContain('/run/logstack/secrets/search:/run/secrets:ro,Z')
  expect(command).toContain('/opt/logstack/config:/etc/logstack/config:ro,z')
  expect(command).toContain('--health-interval=2s')
})

test.skipIf(reason)('the documented way reaches search: vault, CA certificate, root and health', async () => {
  const password = 'password=$(sudo -i ansible-vault view /etc/logstack/vault/elastic 2>/dev/null)'
  const curl = `curl -sS --cacert '/opt/logstack/Chapter 3 Files/certs/root-ca.crt' -u "elastic:$password"`
  const root = JSON.parse(await shell(`${password}; ${curl} https://localhost:9200/`))
  expect(root).toMatchObject({ name: 'logstack-search', version: { number: expect.stringMatching(/^8\.19\.\d+$/) } })
  const health = JSON.parse(
    await shell(`${password}; ${curl} 'https://localhost:9200/_cluster/health?filter_path=status,*_shards'`),
  )
  expect(health).toMatchObject({ status: 'green', unassigned_shards: 0 })
  const secrets = await run('podman', 'secret', 'ls', '--format', '{{.Name}} {{.Driver}}')
  expect(secrets.split('\n').filter((line) => line.includes('elastic'))).toEqual(['elastic shell'])
})

test.skipIf(reason)('scripts give the stored password', async () => {
  const sourced =
    'source /opt/logstack-install/scripts/extract_secrets.sh -q && test "$elastic" = "$(logstack password show)" && echo same'
  expect(await shell(sourced)).toBe('same\n')
  expect(await run('scripts/password_management.sh', '-l')).toMatch(/^elastic +in search +stored$/m)
})

test.skipIf(reason)('verify proves it', async () => {
  const { ok } = JSON.parse(await run('logstack', 'verify', '--json'))
  expect(ok).toBe(true)
})

test.skipIf(reason)('a second installation changes nothing, not even an edited definition', async () => {
  const state = `podman ps --format '{{.ID}} {{.Names}}' | sort; find /etc/logstack /opt/logstack /opt/logstack-install /etc/containers/systemd /etc/systemd/system -type f -newer /root/mark`
  const edited = '/etc/containers/systemd/logstack-alerter.container'
  await shell(`echo '# of the administrator' >>${edited} && ${install.join(' ')} && touch /root/mark`)
  expect(await run('tail', '--lines=1', edited)).toBe('# of the administrator\n')
  const before = await shell(state)
  const said = await shell(`${install.join(' ')} 2>&1`)
  expect(said).toMatch(/^\[ ?\d+\/\d+\] .* ok +\d/m)
  expect(said).not.toMatch(/^\[ ?\d+\/\d+\] .* done /m)
  expect(await shell(state)).toBe(before)
})

test.skipIf(reason)('an installation that replaced the program of the agent starts the agent anew', async () => {
  const process = (): Promise<string> => run('systemctl', 'show', '--property=MainPID', 'logstack-agent.service')
  const before = await process()
  await shell('sleep 2; touch /opt/logstack-install/dist/agent.mjs')
  const said = await shell(`${install.join(' ')} 2>&1`)
  expect(said).toMatch(/this host's agent +done/)
  expect(await process()).not.toBe(before)
  expect(await shell(`${install.join(' ')} 2>&1`)).toMatch(/this host's agent +ok/)
})

test.skipIf(reason)('an upgrade without room for the new programs is refused before anything is changed', async () => {
  const installed =
    'find /opt/logstack-install /etc/logstack /etc/containers/systemd -type f | sort | xargs -d "\\n" sha256sum'
  const before = await shell(installed)
  // The installation as a look sees it, on a disk of its own.
  const refused = await shell(`
    mount -t tmpfs -o size=900m,mode=755 tmpfs /mnt
    mkdir /mnt/logstack-install && cp -a /opt/logstack-install/{package.json,.programs-digest} /mnt/logstack-install && cp -a /opt/logstack /mnt
    mount --bind /mnt /opt
    echo '# newer' >>scripts/logstack-health
    ${install.join(' ')} 2>&1 || echo "exit $?"
    sed -i '$d' scripts/logstack-health
    umount /opt /mnt`)
  expect(refused).toMatch(/the disk of \/opt has \d+ MiB free, an upgrade needs 1024 MiB[\s\S]*exit [1-9]/)
  expect(await shell(installed)).toBe(before)
})

test.skipIf(reason)(
  'a base image that was fetched anew is told by doctor, and taken by the next installation',
  async () => {
    const image = 'podman image inspect --format {{.Id}}'
    const runs = `podman container inspect --format {{.Image}} ${parts.map((part) => `logstack-${part}`).join(' ')} | sort -u`
    await shell(
      `podman run --name newer ${baseImage} touch /etc/newer && podman commit --quiet newer ${baseImage} && podman rm newer`,
    )
    expect(await shell('logstack doctor --only image')).toContain(
      `podman has another ${baseImage} than the image was built on`,
    )
    // Without the option: the base of before is kept.
    expect(await shell('./logstack install --yes 2>&1')).toMatch(/container image +done/)
    await allUp()
    expect(await shell(runs)).toBe(await shell(`${image} localhost/logstack:LOGSTACK_LATEST`))
    // The build that was interrupted above may have left a container, which is a note of its own.
    expect(await shell('logstack doctor --only image')).not.toContain('podman has another')
    expect(await shell('./logstack install --yes 2>&1')).toMatch(/container image +ok/)
  },
)

test.skipIf(reason)('stop ends all containers before it returns; restart brings all five back', async () => {
  await run('systemctl', 'stop', 'logstack.service')
  expect(await run('podman', 'ps', '--all', '--quiet')).toBe('')
  await run('systemctl', 'restart', 'logstack.service')
  await allUp()
})

test.skipIf(reason)('status, logs and restart of one part', async () => {
  expect(await run('logstack', 'status')).toMatch(/^logstack-search Up .*\(healthy\)$/m)
  expect(await run('logstack', 'logs', 'alerter', '--lines', '500')).toMatch(/^\d{4}-\d\d-\d\d .* INFO {2}ready/m)
  expect(await run('logstack', 'restart', 'dashboard')).toMatch(/^logstack-dashboard Up .*\(healthy\)$/m)
})

test.skipIf(reason ?? whyNoDisk())(
  'retention.md: events on a disk of their own, without which search does not start',
  async () => {
    const [disk, folder] = ['/var/tmp/disk', '/var/lib/containers/storage/volumes/logstack_data_search/_data']
    await makeDisk(join(host.root, disk))
    const ask = (method: string): Promise<string> =>
      shell(
        `curl -sSk --retry 10 --retry-all-errors -u "elastic:$(logstack password show)" -X ${method} https://localhost:9200/kept/_doc/1 -H content-type:application/json -d '{}'`,
      )
    await ask('PUT')
    const onDisk = (script: string): Promise<string> => shell(script.replaceAll('/dev/sdb1', disk))
    await runGuide('retention.md', onDisk, 'disk')
    await allUp()
    expect(await shell(`findmnt --noheadings --output=FSTYPE ${folder}`)).toBe('ext4\n')
    expect(JSON.parse(await ask('GET'))).toMatchObject({ found: true })
    await shell(
      `systemctl stop logstack-search && umount ${folder} && mv ${disk} ${disk}.gone && systemctl daemon-reload`,
    )
    expect(await shell('systemctl start logstack-search 2>&1 || systemctl is-active logstack-search || true')).toMatch(
      /dependency job .* failed[\s\S]*inactive/i,
    )
    await shell(`mv ${disk}.gone ${disk} && systemctl start logstack-search`)
    expect(JSON.parse(await ask('GET'))).toMatchObject({ found: true })
    const refused = await shell('logstack uninstall --yes 2>&1 || echo "exit $?"')
    expect(refused).toContain(`nothing was removed: ${folder} would be emptied`)
    expect(refused).toMatch(/umount [\s\S]*exit [1-9]/)
    await allUp()
    expect(JSON.parse(await ask('GET'))).toMatchObject({ found: true })
  },
  400_000,
)
