export { openPostgres } from './postgres.ts'
export { inspectListening } from './postgres-hearing.ts'
export { inspectPostgres, inspectReplica, replaceTables } from './postgres-maintenance.ts'
