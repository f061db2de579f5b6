export { openPostgres } from './postgres.ts'
export { inspectPostgres, inspectReplica, replaceTables } from './postgres-maintenance.ts'
