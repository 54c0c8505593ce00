export { createServer, replaceCertificate, type ServerOptions } from './create-server.ts'
export { inflateBody, readJsonBody } from './inflate-body.ts'
export type { ServerCertificates } from './named-certificate.ts'
