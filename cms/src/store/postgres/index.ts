export { openPostgres } from './postgres.ts'
export { inspectPostgres } from './postgres-inspection.ts'
export { replaceTables } from './postgres-restore.ts'
