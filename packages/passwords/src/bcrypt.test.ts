import { describe, expect, it } from 'vitest'
import { isBcryptHash, verifyBcrypt } from './bcrypt.ts'
import { verifyPassword } from './index.ts'

// Made by libxcrypt; the one of the empty password is among the vectors of the reference implementation.
const vectors: readonly (readonly [password: string, hash: string])[] = [
  ['', '$2a$06$DCq7YPn5Rq63x1Lad4cll.TV4S6ytwfsfvkgY8jIucDrjc8deX1s.'],
  ['U*U', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
  ['abc123xyz', '$2b$06$DCq7YPn5Rq63x1Lad4cll.5M8woyM0j8T.PoOquDF30B5XsJbsBV.'],
  ['päss wort', '$2y$08$CCCCCCCCCCCCCCCCCCCCC.8OGzKZtywTYemroOgzv/3./vNW074Nq'],
  ['0123456789'.repeat(9), '$2b$04$CCCCCCCCCCCCCCCCCCCCC.FK1BvzBLAltNsbGCqDzcz8ivvVoPdea'],
]

describe('a bcrypt hash', () => {
  it.each(vectors)('of %j is told from others', async (password, hash) => {
    expect(await verifyBcrypt(hash, password)).toBe(true)
    expect(await verifyBcrypt(hash, `x${password}`)).toBe(false)
    expect(
      await verifyBcrypt(
        hash.replace(/.$/u, (last) => (last === 'u' ? 'e' : 'u')),
        password,
      ),
    ).toBe(false)
  })

  it('is a password like any other', async () => {
    const [, [password, hash]] = vectors as [unknown, [string, string]]
    expect([await verifyPassword(hash, password), await verifyPassword(hash, 'U*V')]).toEqual([true, false])
  })

  it.each([
    ['$2a$06$DCq7YPn5Rq63x1Lad4cll.TV4S6ytwfsfvkgY8jIucDrjc8deX1s.', true],
    ['$2a$31$DCq7YPn5Rq63x1Lad4cll.TV4S6ytwfsfvkgY8jIucDrjc8deX1s.', false],
    ['$2x$06$DCq7YPn5Rq63x1Lad4cll.TV4S6ytwfsfvkgY8jIucDrjc8deX1s.', false],
    ['$2a$06$short', false],
    ['plain', false],
  ])('%s is taken: %s', async (text, isOne) => {
    expect(isBcryptHash(text)).toBe(isOne)
    if (!isOne) await expect(verifyBcrypt(text, '')).rejects.toThrow(TypeError)
  })
})
