/** Limits for one request. */
export interface Limits {
  /** Bytes of a JSON body. */
  readonly bodyBytes: number
  /** Bytes of an uploaded file. */
  readonly uploadBytes: number
  readonly perPage: number
  readonly ids: number
  /** Levels of objects, arrays and areas in one another. */
  readonly depth: number
  /** Crops of one image (§4.3). */
  readonly crops: number
  /** Bytes of memory that decoding one image may take (§4.3). */
  readonly imageMemory: number
}
