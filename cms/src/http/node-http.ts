/**
 * What the service needs of `node:http`. An `import` of that module would read all it exports, its WebSocket client
 * too, which costs a start 50 ms and 13 MB; this way only what is named is read.
 */
export const { createServer, validateHeaderName, validateHeaderValue } = process.getBuiltinModule('node:http')
