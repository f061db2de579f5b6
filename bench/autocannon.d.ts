/** What this folder uses of autocannon, which brings no types. */
declare module 'autocannon' {
  export interface Client {
    setRequests(requests: readonly object[]): void
  }

  export interface Options {
    readonly url: string
    readonly connections: number
    readonly headers: Record<string, string>
    /** Seconds; or `amount`, the number of requests. */
    readonly duration?: number
    readonly amount?: number
    setupClient(client: Client): void
  }

  export interface Result {
    readonly non2xx: number
    readonly errors: number
    readonly timeouts: number
  }

  export interface Instance extends Promise<Result> {
    on(event: 'response', listen: (client: Client, status: number, bytes: number, milliseconds: number) => void): void
  }

  export default function autocannon(options: Options): Instance
}
