export { type Authority, addYears, createAuthority, validityYears } from './authority.ts'
export { type ForeignPair, foreignPairProblem, splitChain } from './chain.ts'
export {
  type CertificateFacts,
  certificateCovers,
  inspectCertificate,
  isSignedBy,
  keyMatchesCertificate,
} from './inspect.ts'
export {
  createClientRequest,
  type IssuedCertificate,
  issueClientCertificate,
  issueServerCertificate,
  loopbackHosts,
  type ServerCertificateRequest,
  signClientRequest,
} from './leaf.ts'
