import { NoSuchKey, NotFound, S3ServiceException } from '@aws-sdk/client-s3'

/** True when there is no such object. */
export function isMissing(error: unknown): boolean {
  return error instanceof NoSuchKey || error instanceof NotFound
}

/**
 * What the service or the network says, or that there are no credentials: a stack would tell nothing more. Null for any
 * other failure.
 */
export function outsideReason(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const isOutside = error instanceof S3ServiceException || 'code' in error || isOfCredentials(error)
  return isOutside ? `${error.name}: ${error.message}` : null
}

/** True for failures that a retry may cure: no answer, or a failure on the side of the service. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return !(error instanceof Error && isOfCredentials(error))
  const status = error.$metadata.httpStatusCode ?? 500
  return status >= 500 || status === 429 || status === 408
}

function isOfCredentials({ name }: Error): boolean {
  return name.includes('Credentials')
}
