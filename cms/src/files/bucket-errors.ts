/** What the service has answered, as its library throws it. */
interface Answered extends Error {
  readonly $metadata: { readonly httpStatusCode?: number }
}

/** True when there is no such object. */
export function isMissing(error: unknown): boolean {
  return isAnswered(error) && (error.name === 'NoSuchKey' || error.name === 'NotFound')
}

/**
 * What the service or the network says, or that there are no credentials: a stack would tell nothing more. Null for any
 * other failure.
 */
export function outsideReason(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  return isAnswered(error) || 'code' in error || isOfCredentials(error) ? `${error.name}: ${error.message}` : null
}

/** True for failures that a retry may cure: no answer, or a failure on the side of the service. */
export function isTransient(error: unknown): boolean {
  if (!isAnswered(error)) return !(error instanceof Error && isOfCredentials(error))
  const status = error.$metadata.httpStatusCode ?? 500
  return status >= 500 || status === 429 || status === 408
}

function isAnswered(error: unknown): error is Answered {
  return error instanceof Error && '$metadata' in error
}

function isOfCredentials({ name }: Error): boolean {
  return name.includes('Credentials')
}
