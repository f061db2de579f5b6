export { openPostgres } from './postgres.ts'
export { inspectListening, inspectPostgres, inspectReplica, replaceTables } from './postgres-maintenance.ts'
