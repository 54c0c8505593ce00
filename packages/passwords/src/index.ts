export { secretsEqual } from './compare.ts'
export { generatedPasswordLength, generatePassword, generateToken } from './generate.ts'
export { argon2Cost, hashPassword, passwordBytesMax, verifyPassword } from './hash.ts'
export { createSealingKeys, openSealed, type SealingKeys, seal } from './sealed.ts'
