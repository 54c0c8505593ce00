/** The product's own version: of the operator, the agents and the server they talk to. */
export const productVersion = '0.1.0'
