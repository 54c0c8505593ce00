export { createServer, replaceCertificate, type ServerOptions } from './create-server.ts'
export { inflateBody } from './inflate-body.ts'
export type { ServerCertificates } from './named-certificate.ts'
export { readBody, readPackedBody } from './read-body.ts'
