/** Where the service logs what an operator should know; never secrets. */
export interface Log {
  info(data: object, message: string): void
  warn(data: object, message: string): void
  error(data: object, message: string): void
}
