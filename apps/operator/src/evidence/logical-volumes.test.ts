import { expect, test } from 'vitest'
import { growableVolume, growthCommands, readMount } from './logical-volumes.ts'

// `vgs` is as LVM 2.03.31 of Debian 13 printed it (its log of a kernel without device-mapper too), `findmnt` as util-linux 2.41 prints it. No
// volume can be made without device-mapper: the row of `lvs` has that program's form, with the names that lvmreport(7) gives the columns.
const mountOf = (type: string, target = '/') =>
  `{"filesystems": [{"target":"${target}","source":"/dev/mapper/ubuntu--vg-ubuntu--lv","fstype":"${type}"}]}`
const lvs = `
  {
      "report": [
          {
              "lv": [
                  {"vg_name":"ubuntu-vg", "lv_path":"/dev/ubuntu-vg/ubuntu-lv", "lv_dm_path":"/dev/mapper/ubuntu--vg-ubuntu--lv"}
              ]
          }
      ]
      ,
      "log": [
      ]
  }
`
const vgs = `
  {
      "report": [
          {
              "vg": [
                  {"vg_name":"ubuntu-vg", "vg_free":"2143289344"}
              ]
          }
      ]
      ,
      "log": [
          {"log_seq_num":"1", "log_type":"error", "log_context":"processing", "log_object_type":"vg", "log_object_name":"", "log_object_id":"", "log_object_group":"", "log_object_group_id":"", "log_message":"/dev/mapper/control: open failed: No such device", "log_errno":"-1", "log_ret_code":"0"}
      ]
  }
`

function volumeOf(findmnt: string) {
  const mount = readMount(findmnt)
  return mount && growableVolume(mount, lvs, vgs)
}

test.each([
  ['ext4', '/', ['resize2fs', '/dev/mapper/ubuntu--vg-ubuntu--lv']],
  ['xfs', '/var', ['xfs_growfs', '/var']],
])('%s is extended by all that is free, and grown', (type, target, grow) => {
  const volume = volumeOf(mountOf(type, target))
  expect(volume).toMatchObject({ group: 'ubuntu-vg', groupBytesFree: 2_143_289_344 })
  expect(volume && growthCommands(volume)).toEqual([
    ['lvextend', '-l', '+100%FREE', '/dev/mapper/ubuntu--vg-ubuntu--lv'],
    grow,
  ])
})

test('a file system that cannot grow while it is mounted is left alone', () => {
  const volume = volumeOf(mountOf('f2fs'))
  expect(volume && growthCommands(volume)).toBeUndefined()
})

test('a plain partition, an overlay, or tools that are missing or say something else are no logical volume', () => {
  expect(volumeOf('{"filesystems": [{"target":"/","source":"/dev/sda1","fstype":"ext4"}]}')).toBeUndefined()
  expect(readMount('')).toBeUndefined()
  const mount = readMount(mountOf('ext4'))
  expect(mount && growableVolume(mount, '', '')).toBeUndefined()
  expect(mount && growableVolume(mount, 'File descriptor 3 leaked', vgs)).toBeUndefined()
})
