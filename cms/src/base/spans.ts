/** Attributes of a span, by their names in the semantic conventions or, where those have none, in `quire.…`. */
type Attributes = Readonly<Record<string, string | number>>

/** A piece of work as a trace shows it: never with contents, secrets or the values of statements. */
export interface SpanFacts {
  readonly name: string
  /** `client`: another service does the work. */
  readonly kind: 'internal' | 'client'
  readonly attributes: Attributes
}

/** A span that has begun. */
export interface Span {
  /** Adds what only the work itself finds out. */
  set(attributes: Attributes): void
}

/** The span of a request, whose work runs in several parts. */
export interface RequestSpan {
  /** Runs a part: the spans that it begins lie below. */
  within<T>(work: () => T): T
  /** Ends the span, with the name it gets once its route is known. */
  end(name: string, attributes: Attributes, hasFailed: boolean): void
}

/** Makes spans. */
export interface Tracer {
  /** Runs work in a span, which ends with it; of an error, the span has the name alone. */
  run<T>(facts: SpanFacts, work: (span: Span) => Promise<T>): Promise<T>
  /** Begins the span of a request, below the one that its headers name, or that another library has begun. */
  request(method: string, headers: object): RequestSpan
}
