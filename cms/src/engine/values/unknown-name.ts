/** A name that nothing reads. */
export interface UnknownName {
  /** As problems name it: `links.0.lable`. */
  readonly path: string
  /** The names that it may have been meant for: those that the caller may know of. */
  known(): Iterable<string>
}
