import { describe, expect, it } from 'vitest'
import { compareVersions } from './package-versions.ts'

const signs = (format: 'dpkg' | 'rpm', pairs: readonly (readonly [string, '<' | '=' | '>', string])[]) =>
  pairs.map(([left, , right]) => [left, '<=>'[Math.sign(compareVersions[format](left, right)) + 1], right])

describe('versions of dpkg', () => {
  const pairs = [
    ['1.0-1', '=', '1.0-1'],
    ['1.0', '=', '1.0-0'],
    ['1.9-1', '<', '1.10-1'],
    ['1.0-1', '<', '1.0-1+deb12u1'],
    ['1.0-1~deb12u1', '<', '1.0-1'],
    ['1.0~rc1-1', '<', '1.0-1'],
    ['1:0.5-1', '>', '2.0-1'],
    ['0:1.0-1', '=', '1.0-1'],
    ['1.0-1ubuntu0.22.04.10', '>', '1.0-1ubuntu0.22.04.9'],
    ['9.2p1-2+deb12u3', '<', '9.2p1-2+deb12u5'],
    ['1.0a', '<', '1.0+'],
    ['1.0.', '>', '1.0'],
    ['1.2-3-4', '>', '1.2-3'],
    ['007', '=', '7'],
    ['1.18446744073709551616', '>', '1.18446744073709551615'],
    ['6.1.0~~', '<', '6.1.0~'],
  ] as const

  it('compare as deb-version(7) says', () => expect(signs('dpkg', pairs)).toEqual(pairs))
})

describe('versions of rpm', () => {
  const pairs = [
    ['1.0-1.el9', '=', '1.0-1.el9'],
    ['1.0', '<', '1.0.1'],
    ['1.10-1', '>', '1.9-1'],
    ['5.5p1', '<', '5.5p2'],
    ['5.5p10', '>', '5.5p1'],
    ['10xyz', '<', '10.1xyz'],
    ['xyz10', '<', 'xyz10.1'],
    ['xyz.4', '<', '8'],
    ['1.0_a', '=', '1.0.a'],
    ['1.0~rc1', '<', '1.0'],
    ['1.0^git1', '>', '1.0'],
    ['1.0^git1', '<', '1.0.1'],
    ['1.0~rc1^git1', '>', '1.0~rc1'],
    ['1.0^git1~pre', '<', '1.0^git1'],
    ['1:1.0-1', '>', '2.0-1'],
    ['3.0.7-24.el9', '<', '3.0.7-25.el9_3'],
    ['3.0.7-25.el9_3', '>', '3.0.7-25.el9'],
    ['1.0', '=', '1.0-5'],
    ['1.0010', '>', '1.9'],
    ['1.05', '=', '1.5'],
  ] as const

  it('compare as rpm does', () => expect(signs('rpm', pairs)).toEqual(pairs))
})
