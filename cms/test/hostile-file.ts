/** A file that somebody could upload, and what must come of it (§4.3). */
export interface HostileFile {
  readonly title: string
  /** The file name it is sent with. */
  readonly name: string
  readonly bytes: () => Promise<Buffer>
  /** Refused as `invalid`, or kept without harm. */
  readonly expect: 'invalid' | 'safe'
  /** What the refusal says. */
  readonly says?: RegExp
  /** What is known of a file that is kept. */
  readonly is?: {
    readonly extension?: string
    readonly name?: string
    readonly width?: number
    readonly height?: number
  }
  /** What a kept text file, such as an SVG, must hold still. */
  readonly holds?: RegExp
}
