export { openPostgres } from './postgres.ts'
export { inspectPostgres, replaceTables } from './postgres-maintenance.ts'
