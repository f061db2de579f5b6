/** Where the service writes what an operator should know. Never secrets. */
export interface Log {
  info(data: object, message: string): void
  warn(data: object, message: string): void
  error(data: object, message: string): void
}
